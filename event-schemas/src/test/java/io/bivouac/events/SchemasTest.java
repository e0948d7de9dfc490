package io.bivouac.events;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

class SchemasTest {
    private static final ObjectMapper JSON = new ObjectMapper();

    static List<String> names() {
        return EventSchemas.names();
    }

    @ParameterizedTest
    @MethodSource("names")
    void eachIsASchemaUnderItsOwnName(String name) throws IOException {
        assertThat(Schemas.faultsOfSchema(name)).isEmpty();
        assertThat(JSON.readTree(EventSchemas.text(name)).get("$id").asText()).isEqualTo(EventSchemas.ID_PREFIX + name);
    }

    @ParameterizedTest
    @EnumSource(EventType.class)
    void eachTypeHasAnExampleThatFits(EventType type) throws IOException {
        assertThat(Schemas.faults(type.wireName(), example(type).toString())).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(EventType.class)
    void whatIsMissingOrOfAnotherKindDoesNotFit(EventType type) throws IOException {
        for (var required : List.of("id", "type", "timestamp", "project", "subject", "sequence", "data")) {
            var without = example(type);
            without.remove(required);
            assertThat(Schemas.faults(type.wireName(), without.toString()))
                    .as("without " + required)
                    .isNotEmpty();
        }
        assertThat(Schemas.faults(
                        type.wireName(), example(type).put("type", "other.type").toString()))
                .isNotEmpty();
        assertThat(Schemas.faults(
                        type.wireName(),
                        example(type).put("timestamp", "yesterday").toString()))
                .isNotEmpty();
        var empty = example(type);
        empty.putObject("data");
        assertThat(Schemas.faults(type.wireName(), empty.toString())).isNotEmpty();
    }

    @ParameterizedTest
    @EnumSource(EventType.class)
    void aReceiverWithTodaysSchemaTakesTomorrowsFields(EventType type) throws IOException {
        var later = example(type).put("added", "later");
        ((ObjectNode) later.get("data")).put("added", "later");
        assertThat(Schemas.faults(type.wireName(), later.toString())).isEmpty();
    }

    private static ObjectNode example(EventType type) throws IOException {
        return (ObjectNode) JSON.readTree(Files.readString(Path.of("examples", type.wireName() + ".json")));
    }
}
