package io.bivouac.sessions;

import static org.assertj.core.api.Assertions.assertThat;

import io.bivouac.agentlink.testing.Http;
import io.bivouac.agentlink.testing.TestRelay;
import io.bivouac.agentlink.testing.Wait;
import io.bivouac.foundation.access.Projects;
import io.micronaut.json.tree.JsonNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ListRecordingsTest {
    private static final String RECORDINGS = "/api/v1/recordings";

    @Test
    void recordedTerminalsAreListedTheNewestFirstAndFoundByTheirIdAlone() throws IOException {
        try (var relay = TestRelay.start()) {
            var id = relay.sandbox();
            try (var _ = relay.agent(id)) {
                var http = relay.newcomer();
                var pty = make(http, id + "/pty", Map.of("command", "echo by a pty", "record", true), "id");
                make(http, id + "/pty", Map.of("command", "echo unrecorded"), "id");
                var session = make(
                        http,
                        "/-/terminal/sessions",
                        Map.of(
                                "sandboxId",
                                id.value(),
                                "command",
                                "sh",
                                "args",
                                List.of("-c", "exit 4"),
                                "record",
                                true),
                        "sessionId");
                var here = RECORDINGS + "?sandboxId=" + id;
                Wait.until(() -> items(http, here).size() == 2
                        && items(http, here).stream()
                                .allMatch(item ->
                                        item.get("complete").getBooleanValue() && item.get("exitCode") != null));
                assertThat(items(http, here))
                        .extracting(ListRecordingsTest::terminal)
                        .containsExactly(session, pty);
                var newest = items(http, here).getFirst();
                assertThat(newest.get("exitCode").getIntValue()).isEqualTo(4);
                assertThat(newest.get("cols").getIntValue()).isEqualTo(80);
                assertThat(newest.get("size").getLongValue()).isPositive();
                assertThat(newest.get("endedAt")).isNotNull();

                var first = http.get(here + "&limit=1");
                assertThat(terminal(first.body().get("items").get(0))).isEqualTo(session);
                var rest = http.get(here + "&limit=1&cursor=" + first.text("nextCursor"));
                assertThat(terminal(rest.body().get("items").get(0))).isEqualTo(pty);
                assertThat(rest.body().get("nextCursor").isNull()).isTrue();
                assertThat(http.get(here + "&limit=0").status()).isEqualTo(400);
                assertThat(items(http, RECORDINGS))
                        .extracting(ListRecordingsTest::terminal)
                        .contains(pty, session);

                try (var cast = http.open(RECORDINGS + "/" + pty, "application/x-asciicast")
                        .body()) {
                    assertThat(new String(cast.readAllBytes(), StandardCharsets.UTF_8))
                            .contains("by a pty");
                }
                assertThat(http.get(RECORDINGS + "/pty-00000000000000000000000000")
                                .status())
                        .isEqualTo(404);
                assertThat(http.get(RECORDINGS + "/nonsense").status()).isEqualTo(404);
                strangersSeeNothing(relay, pty);
            }
        }
    }

    private static void strangersSeeNothing(TestRelay relay, String pty) {
        var made = relay.bean(Projects.class).make(relay.caller(), "recordings of others", 1);
        var stranger = relay.http(made.firstKey().value());
        assertThat(items(stranger, RECORDINGS)).isEmpty();
        assertThat(stranger.get(RECORDINGS + "/" + pty).status()).isEqualTo(403);
    }

    private static String make(Http http, String path, Map<String, ?> request, String field) {
        var made = http.post(path, request);
        assertThat(made.status()).as("%s", made).isEqualTo(201);
        return made.text(field);
    }

    private static List<JsonNode> items(Http http, String path) {
        var items = new ArrayList<JsonNode>();
        http.get(path).body().get("items").values().forEach(items::add);
        return items;
    }

    private static String terminal(JsonNode item) {
        return item.get("terminalId").getStringValue();
    }
}
