package io.bivouac.terminalrelay.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import io.bivouac.agentlink.testing.Socket;
import io.bivouac.agentlink.testing.TestRelay;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class CutConnectionsTest {
    private static final int CUTS = 100;
    private static final long SEED = 20_061_116;

    @Test
    void aClientThatIsCutOffAgainAndAgainEndsWithEveryByte() throws Exception {
        try (var relay = TestRelay.start()) {
            var id = relay.sandbox();
            var http = relay.newcomer();
            try (var _ = relay.agent(id)) {
                var pty = http.post(id + "/pty", Map.of("command", "stty -onlcr; seq 1 5000000"))
                        .text("id");
                var path = id + "/pty/" + pty + "/ws?source=me&from=";
                var random = new Random(SEED);
                var all = new ByteArrayOutputStream();
                for (int cut = 0; cut < CUTS; cut++) {
                    int enough = 1 + random.nextInt(100_000);
                    // Some are cut while nothing moves, some in the middle of what comes.
                    var credit = random.nextBoolean() ? "&credit=" + enough : "";
                    try (var socket = http.socket(path + all.size() + credit, Socket.BINARY)) {
                        socket.cutAfter(enough).awaitClose();
                        all.writeBytes(socket.outputBytes());
                        assertThat(socket.frames())
                                .as("frames of cut %s, %s", cut, gaps(socket))
                                .noneMatch(frame -> frame.type() == 4);
                    }
                }
                try (var socket = http.socket(path + all.size(), Socket.BINARY)) {
                    socket.awaitFrame(2);
                    all.writeBytes(socket.outputBytes());
                }
                // Compared without a message: it would be as large as the output.
                assertThat(Arrays.equals(all.toByteArray(), numbers(5_000_000).getBytes(StandardCharsets.US_ASCII)))
                        .as("every byte, once and in order; %s bytes were seen", all.size())
                        .isTrue();
            }
        }
    }

    private static String gaps(Socket socket) {
        return socket.frames().stream()
                .filter(frame -> frame.type() == 4)
                .map(Socket.Frame::text)
                .toList()
                .toString();
    }

    private static String numbers(int last) {
        var text = new StringBuilder();
        for (int i = 1; i <= last; i++) {
            text.append(i).append('\n');
        }
        return text.toString();
    }
}
