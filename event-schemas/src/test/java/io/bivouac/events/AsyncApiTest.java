package io.bivouac.events;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class AsyncApiTest {
    private static final List<String> TYPES =
            Arrays.stream(EventType.values()).map(EventType::wireName).toList();

    private final JsonNode document =
            new YAMLMapper().readTree(Path.of("asyncapi.yaml").toFile());

    AsyncApiTest() throws IOException {}

    @Test
    void everyChannelCarriesEveryTypeAndNoOther() {
        assertThat(names(document.at("/components/messages"))).containsExactlyElementsOf(TYPES);
        assertThat(names(document.get("channels"))).containsExactly("topic", "stream", "webhook");
        // A test goes to the endpoint that is tried and nowhere else.
        var published = TYPES.stream()
                .filter(type -> !type.equals(EventType.WEBHOOK_TEST.wireName()))
                .toList();
        assertThat(names(document.at("/channels/topic/messages"))).containsExactlyElementsOf(published);
        assertThat(names(document.at("/channels/stream/messages"))).containsExactlyElementsOf(published);
        assertThat(names(document.at("/channels/webhook/messages"))).containsExactlyElementsOf(TYPES);
    }

    @Test
    void everyReferenceLeadsSomewhere() {
        var references = document.findValuesAsText("$ref");
        assertThat(references).hasSizeGreaterThan(TYPES.size() * 4);
        for (var reference : references) {
            if (reference.startsWith("#")) {
                assertThat(document.at(reference.substring(1)).isMissingNode())
                        .as(reference)
                        .isFalse();
            } else {
                assertThat(Path.of(reference)).exists();
            }
        }
    }

    private static List<String> names(JsonNode object) {
        var names = new ArrayList<String>();
        object.fieldNames().forEachRemaining(names::add);
        return names;
    }
}
