package io.bivouac.events;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ReleasedSchemasTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Path RELEASED = Path.of("released");

    @Test
    void whatWasReleasedOnlyGrows() throws IOException {
        try (var files = Files.walk(RELEASED)) {
            var schemas =
                    files.filter(file -> file.toString().endsWith(".json")).toList();
            assertThat(schemas).as("released schemas").isNotEmpty();
            for (var schema : schemas) {
                // released/VERSION/…, as in schemas/…
                var present =
                        Path.of("schemas").resolve(RELEASED.relativize(schema).subpath(1, depth(schema)));
                assertThat(present).as("a released schema stays").exists();
                assertThat(AdditiveChange.breaches(read(schema), read(present)))
                        .as(schema.toString())
                        .isEmpty();
            }
        }
    }

    @ParameterizedTest
    @MethodSource("io.bivouac.events.EventSchemas#names")
    void whatIsSaidTodayIsHeldAgainstARelease(String name) throws IOException {
        var file = name.replace(':', '/') + ".json";
        try (var releases = Files.list(RELEASED)) {
            assertThat(releases.map(release -> release.resolve(file)))
                    .as("a released copy of " + name)
                    .anyMatch(Files::exists);
        }
    }

    private static int depth(Path schema) {
        return RELEASED.relativize(schema).getNameCount();
    }

    @Test
    void growthIsAllowed() throws IOException {
        var grown = sandbox();
        ((ObjectNode) grown.get("properties")).putObject("host").put("type", "string");
        ((ArrayNode) grown.get("required")).add("host");
        ((ArrayNode) grown.at("/properties/state/enum")).add("paused");
        grown.put("description", "Other words.");
        assertThat(AdditiveChange.breaches(sandbox(), grown)).isEmpty();
    }

    @Test
    void everyOtherChangeIsABreach() throws IOException {
        var without = sandbox();
        ((ObjectNode) without.get("properties")).remove("labels");
        var optional = sandbox();
        ((ArrayNode) optional.get("required")).remove(0);
        var otherType = sandbox();
        ((ObjectNode) otherType.at("/properties/name")).put("type", "integer");
        var fewerValues = sandbox();
        ((ArrayNode) fewerValues.at("/properties/state/enum")).remove(0);
        var otherLabels = sandbox();
        ((ObjectNode) otherLabels.at("/properties/labels/additionalProperties")).put("type", "integer");
        var closed = sandbox().put("additionalProperties", false);
        for (JsonNode changed : new JsonNode[] {without, optional, otherType, fewerValues, otherLabels, closed}) {
            assertThat(AdditiveChange.breaches(sandbox(), changed)).hasSize(1);
        }
    }

    private static ObjectNode sandbox() throws IOException {
        return (ObjectNode) read(Path.of("schemas", "data", "sandbox.json"));
    }

    private static JsonNode read(Path file) throws IOException {
        return JSON.readTree(file.toFile());
    }
}
