package io.bivouac.terminalrelay.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import io.bivouac.agentlink.testing.Socket;
import io.bivouac.agentlink.testing.TestRelay;
import io.bivouac.agentlink.testing.Wait;
import io.micrometer.core.instrument.MeterRegistry;
import java.nio.file.Files;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A client that has typed so much that it is no longer read. */
class HeldBackClientTest {
    private static final int CREDIT = 68;
    private static final int PIECE = 32 * 1024;
    private static final int PIECES = 12;

    @Test
    void itStillPaysForTheLastOutput() throws Exception {
        try (var relay = TestRelay.start()) {
            var id = relay.sandbox();
            var http = relay.newcomer();
            try (var agent = relay.agent(id)) {
                var line = "stty raw -echo; printf 'last words'; until [ -e go ]; do sleep 0.1; done";
                var pty = http.post(id + "/pty", Map.of("command", line)).text("id");
                try (var socket = http.socket(id + "/pty/" + pty + "/ws?from=0&credit=4", Socket.BINARY)) {
                    socket.awaitOutput(seen -> seen.equals("last"));
                    for (int i = 0; i < PIECES; i++) {
                        socket.type(0, "x".repeat(PIECE));
                    }
                    Wait.until(() -> typed(relay) > 256 * 1024);
                    socket.frame(CREDIT, 100, "");
                    Files.createFile(agent.workspace().resolve("go"));
                    socket.awaitFrame(2);
                    assertThat(socket.output()).isEqualTo("last words");
                }
            }
        }
    }

    private static double typed(TestRelay relay) {
        return relay.bean(MeterRegistry.class).get("terminal.bytes.in").gauge().value();
    }
}
