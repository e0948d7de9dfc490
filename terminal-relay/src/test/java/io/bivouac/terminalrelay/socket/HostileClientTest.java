package io.bivouac.terminalrelay.socket;

import io.bivouac.agentlink.testing.Socket;
import io.bivouac.agentlink.testing.TestRelay;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Clients that ask for too much. */
class HostileClientTest {
    private static final int FRAMES = 40;

    @Test
    void whoAsksForOutputAgainAndAgainIsToldToWait() {
        try (var relay = TestRelay.start()) {
            var id = relay.sandbox();
            try (var _ = relay.agent(id)) {
                var pty = relay.newcomer()
                        .post(id + "/pty", Map.of("command", "cat"))
                        .text("id");
                try (var socket = relay.http().socket(id + "/pty/" + pty + "/ws", Socket.BINARY)) {
                    for (int i = 0; i < FRAMES; i++) {
                        socket.frame(69, 0, "{\"type\":\"resume\",\"from\":0}");
                    }
                    socket.awaitFrame(frame -> frame.text().contains("RATE_LIMITED"));
                    socket.type(1, "still here\r").awaitOutput(seen -> seen.contains("still here"));
                }
            }
        }
    }
}
