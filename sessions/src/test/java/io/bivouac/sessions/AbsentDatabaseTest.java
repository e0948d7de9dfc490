package io.bivouac.sessions;

import static org.assertj.core.api.Assertions.assertThat;

import io.bivouac.agentlink.testing.TestRelay;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What clients of WebSockets hear when the database cannot be asked. */
class AbsentDatabaseTest {
    @Test
    void aCommandThatCannotBeStartedIsSaidToBeUnavailable() {
        try (var relay = TestRelay.start(Map.of("bivouac.terminal.look-every", "1h"))) {
            var id = relay.sandbox();
            try (var _ = relay.agent(id)) {
                relay.statement("ALTER TABLE terminals RENAME TO terminals_away");
                try (var socket = relay.http().socket(id + "/exec/interactive?command=cat")) {
                    assertThat(socket.awaitMessage("error").get("code").getStringValue())
                            .isEqualTo("UNAVAILABLE");
                    assertThat(socket.awaitClose()).isEqualTo(1013);
                } finally {
                    relay.statement("ALTER TABLE terminals_away RENAME TO terminals");
                }
            }
        }
    }

    @Test
    void answersAreWrittenDownOneAfterTheOtherAndAFloodIsRefused() {
        try (var relay = TestRelay.start()) {
            var id = relay.sandbox();
            try (var _ = relay.agent(id)) {
                var session = relay.newcomer()
                        .post("/-/terminal/sessions", Map.of("sandboxId", id.value(), "command", "cat"))
                        .text("sessionId");
                try (var socket = relay.http().socket("/-/terminal/sessions/" + session + "/ws")) {
                    relay.whileLocked("permission_requests", () -> {
                        for (int i = 0; i < 100; i++) {
                            socket.send("{\"type\":\"permission_response\",\"granted\":true,"
                                    + "\"requestId\":\"perm_00000000000000000000000000\"}");
                        }
                        assertThat(socket.awaitMessage("error").get("code").getStringValue())
                                .isEqualTo("RATE_LIMITED");
                    });
                }
            }
        }
    }
}
