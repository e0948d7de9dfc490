package io.bivouac.sessions.secret;

import static org.assertj.core.api.Assertions.assertThat;

import io.micronaut.json.tree.JsonNode;
import io.micronaut.serde.ObjectMapper;
import java.io.IOException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class JsonPathTest {
    private static final String DOCUMENT = """
            {"token": "abc", "port": 8080, "on": true, "none": null, "keys": [{"id": "first"}, {"id": "second"}],
             "with space": "x", "a.b": "dotted", "7": "seven"}""";

    private static String at(String path) throws IOException {
        var document = ObjectMapper.getDefault().readValue(DOCUMENT, JsonNode.class);
        return JsonPath.parse(path).orElseThrow().in(document).orElse("nothing");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            $.token              | abc
            $['token']           | abc
            $["token"]           | abc
            $.port               | 8080
            $.on                 | true
            $.keys[1].id         | second
            $['keys'][0]['id']   | first
            $['with space']      | x
            $['a.b']             | dotted
            $['7']               | seven
            $.none               | nothing
            $.missing            | nothing
            $.keys               | nothing
            $                    | nothing
            $.keys[9].id         | nothing
            $.token.length       | nothing
            """)
    void namesOneValue(String path, String value) throws IOException {
        assertThat(at(path)).isEqualTo(value);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "token",
                "$token",
                "$..token",
                "$.*",
                "$.keys[*]",
                "$.keys[0:1]",
                "$.keys[?@.id]",
                "$.keys[-1]",
                "$['a','b']",
                "$.token ",
                "$.",
                "$[",
                "$.keys[00000]"
            })
    void whatCouldMeanSeveralOrNothingIsRefused(String path) {
        assertThat(JsonPath.parse(path)).isEmpty();
    }
}
