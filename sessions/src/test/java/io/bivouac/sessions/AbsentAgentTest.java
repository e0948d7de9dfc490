package io.bivouac.sessions;

import static org.assertj.core.api.Assertions.assertThat;

import io.bivouac.agentlink.testing.TestRelay;
import io.bivouac.agentlink.testing.Wait;
import io.bivouac.foundation.outbox.EventRow;
import io.bivouac.foundation.outbox.Outbox;
import io.bivouac.sandboxmodel.SandboxId;
import io.bivouac.sandboxmodel.SandboxState;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class AbsentAgentTest {
    private static final String SESSIONS = "/-/terminal/sessions";

    @Test
    void terminalsOfALostSandboxCanBeEndedAndExpire() {
        var settings =
                Map.<String, Object>of("bivouac.agent.return-timeout", "500ms", "bivouac.terminal.look-every", "100ms");
        try (var relay = TestRelay.start(settings)) {
            var id = relay.sandbox();
            String ended;
            String expiring;
            String pty;
            try (var agent = relay.agent(id)) {
                ended = session(relay, Map.of("sandboxId", id.value(), "command", "cat"));
                expiring = session(relay, Map.of("sandboxId", id.value(), "command", "cat", "timeout", 4));
                pty = relay.http().post(id + "/pty", Map.of("command", "cat")).text("id");
                // Asked to end, it would end its terminals first, and might still tell of it.
                agent.signal("KILL");
            }
            relay.await(id, SandboxState.ERROR);

            assertThat(relay.http().delete(SESSIONS + "/" + ended).status()).isEqualTo(204);
            assertThat(relay.http().delete(id + "/pty/" + pty).status()).isEqualTo(204);
            Wait.until(() -> "user".equals(endReason(relay, SESSIONS + "/" + ended)));
            Wait.until(() -> "user".equals(endReason(relay, id + "/pty/" + pty)));
            Wait.until(() -> "expired".equals(endReason(relay, SESSIONS + "/" + expiring)));
        }
    }

    @Test
    void anAgentThatIsKilledIsSaidToBeDisconnected() {
        try (var relay = TestRelay.start()) {
            var id = relay.sandbox();
            try (var agent = relay.agent(id)) {
                relay.await(id, SandboxState.RUNNING);
                agent.signal("KILL");
                Wait.until(() -> types(relay, id).contains("agent.disconnected"));
            }
            try (var agent = relay.agent(id)) {
                Wait.until(() -> Collections.frequency(types(relay, id), "agent.connected") == 2);
                assertThat(types(relay, id))
                        .endsWith("agent.connected", "sandbox.running", "agent.disconnected", "agent.connected");
            }
        }
    }

    private static List<String> types(TestRelay relay, SandboxId id) {
        return relay.bean(Outbox.class).history(id.value(), 0, 50).items().stream()
                .map(EventRow::type)
                .toList();
    }

    private static String session(TestRelay relay, Map<String, ?> request) {
        return relay.http().post(SESSIONS, request).text("sessionId");
    }

    private static String endReason(TestRelay relay, String path) {
        var reason = relay.http().get(path).body().get("endReason");
        return reason == null ? null : reason.getStringValue();
    }
}
