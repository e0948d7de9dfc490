package io.bivouac.terminalrelay.pty;

import static org.assertj.core.api.Assertions.assertThat;

import io.bivouac.agentlink.testing.Http;
import io.bivouac.agentlink.testing.RealAgent;
import io.bivouac.agentlink.testing.Socket;
import io.bivouac.agentlink.testing.TestRelay;
import io.bivouac.agentlink.testing.Wait;
import io.bivouac.foundation.access.LimitChange;
import io.bivouac.sandboxmodel.SandboxId;
import io.micronaut.json.tree.JsonNode;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class ManageTerminalsTest {
    private static final String ALL = "/api/v1/terminals";
    private static TestRelay relay;
    private static SandboxId id;
    private static RealAgent agent;

    @BeforeAll
    static void start() {
        relay = TestRelay.start(Map.of("bivouac.terminal.per-sandbox", 2));
        id = relay.sandbox();
        agent = relay.agent(id);
    }

    @AfterAll
    static void stop() {
        agent.close();
        relay.close();
    }

    @Test
    void openTerminalsAreListedWithWhoIsAttachedAndEnded() {
        var pty = relay.http()
                .post(id + "/pty", Map.of("cols", 90, "rows", 30, "command", "cat"))
                .text("id");
        relay.http().post(id + "/pty", Map.of("command", "cat"));
        try (var _ = relay.http().socket(id + "/pty/" + pty + "/ws?role=viewer", Socket.BINARY)) {
            Wait.until(() -> open().get(1).get("attached").size() == 1);
            var shown = open().get(1);
            assertThat(shown.get("id").getStringValue()).isEqualTo(pty);
            assertThat(shown.get("sandboxId").getStringValue()).isEqualTo(id.value());
            assertThat(shown.get("command").getStringValue()).isEqualTo("cat");
            assertThat(shown.get("cols").getIntValue()).isEqualTo(90);
            assertThat(shown.get("attached").get(0).get("role").getStringValue())
                    .isEqualTo("viewer");
        }
        Wait.until(() -> open().get(1).get("attached").size() == 0);

        var refused = relay.http().post(id + "/pty", Map.of("command", "cat"));
        assertThat(refused.status()).isEqualTo(429);
        assertThat(refused.text("detail"))
                .startsWith("There are 2 terminals in this sandbox")
                .contains(ALL);

        var other = relay.http(relay.project(new LimitChange(1, 1, null, null, null, null))
                .firstKey()
                .value());
        assertThat(other.get(ALL).body().get("items").size()).isZero();
        assertThat(other.delete(ALL + "/" + pty).status()).isEqualTo(403);
        assertThat(open().size()).isEqualTo(2);

        assertThat(relay.http().delete(ALL + "/" + pty).status()).isEqualTo(204);
        Wait.until(() -> open().size() == 1);
        assertThat(relay.http().delete(ALL + "/" + pty).status()).isEqualTo(204);
        assertThat(relay.http().delete(ALL + "/pty-00000000000000000000000000").status())
                .isEqualTo(404);
        assertThat(relay.http().post(id + "/pty", Map.of("command", "cat")).status())
                .isEqualTo(201);
    }

    private static JsonNode open() {
        Http.Answer answer = relay.http().get(ALL + "?sandboxId=" + id);
        assertThat(answer.status()).as("%s", answer).isEqualTo(200);
        return answer.body().get("items");
    }
}
