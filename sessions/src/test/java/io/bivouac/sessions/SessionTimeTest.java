package io.bivouac.sessions;

import static org.assertj.core.api.Assertions.assertThat;

import io.bivouac.agentlink.testing.HandshakeRefused;
import io.bivouac.agentlink.testing.Http;
import io.bivouac.agentlink.testing.TestRelay;
import io.bivouac.agentlink.testing.Wait;
import io.bivouac.sandboxmodel.SandboxId;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Sessions of a few seconds, between two looks of the relay at all terminals. */
class SessionTimeTest {
    private static final String SESSIONS = "/-/terminal/sessions";

    @Test
    void aShortSessionEndsOnTimeWithoutAClientAndLetsNobodyInAfterwards() {
        try (var relay = TestRelay.start(Map.of("bivouac.terminal.look-every", "10m"))) {
            var id = relay.sandbox();
            try (var agent = relay.agent(id)) {
                var http = relay.newcomer();
                var session = session(http, id, "cat", List.of());
                var stubborn = session(http, id, "sh", List.of("-c", "trap '' TERM HUP; while :; do sleep 0.1; done"));
                Wait.until(() -> Instant.now().isAfter(expiresAt(http, stubborn)));
                assertThat(HandshakeRefused.statusOf(() -> http.socket(SESSIONS + "/" + stubborn + "/ws")))
                        .isEqualTo(410);
                Wait.until(() -> status(http, session).equals("terminated"));
                assertThat(http.get(SESSIONS + "/" + session).text("endReason")).isEqualTo("expired");
                Wait.until(() -> status(http, stubborn).equals("terminated"));
                assertThat(Instant.now()).isBefore(expiresAt(http, stubborn).plus(Duration.ofMinutes(2)));
            }
        }
    }

    private static String session(Http http, SandboxId id, String command, List<String> arguments) {
        var made = http.post(
                SESSIONS, Map.of("sandboxId", id.value(), "command", command, "args", arguments, "timeout", 2));
        assertThat(made.status()).as("%s", made).isEqualTo(201);
        return made.text("sessionId");
    }

    private static Instant expiresAt(Http http, String session) {
        return Instant.parse(http.get(SESSIONS + "/" + session).text("expiresAt"));
    }

    private static String status(Http http, String session) {
        return http.get(SESSIONS + "/" + session).text("status");
    }
}
