package io.bivouac.terminalrelay.pty;

import static org.assertj.core.api.Assertions.assertThat;

import io.bivouac.agentlink.testing.Socket;
import io.bivouac.agentlink.testing.TestRelay;
import io.bivouac.agentlink.testing.Wait;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Output that credit lets out comes from the network's thread, other output from the agent's: in order all the same. */
class OutputOrderTest {
    private static final int LINES = 100_000;
    private static final int WINDOW = 16 * 1024;

    @Test
    void outputIsInOrderHoweverCreditAndAgentMeet() {
        try (var relay = TestRelay.start()) {
            var id = relay.sandbox();
            try (var _ = relay.agent(id)) {
                var path = id + "/exec/interactive?tty=false&command=seq&command=1&command=" + LINES;
                try (var socket = relay.http().socket(path, Socket.BINARY)) {
                    var given = new AtomicInteger();
                    Wait.until(
                            () -> {
                                int allowed = socket.outputSize() + WINDOW;
                                if (given.get() < allowed) {
                                    // The command may have ended, and the line with it, before this is sent.
                                    socket.trySend(credit(allowed - given.getAndSet(allowed)));
                                }
                                return !socket.isOpen() || socket.exited();
                            },
                            () -> socket.outputSize() + " bytes seen, " + given + " allowed; " + socket.frames());
                    var lines = socket.output().lines().toList();
                    assertThat(lines).hasSize(LINES);
                    for (int i = 0; i < LINES; i++) {
                        assertThat(lines.get(i)).isEqualTo(Integer.toString(i + 1));
                    }
                }
            }
        }
    }

    private static byte[] credit(int bytes) {
        return ByteBuffer.allocate(9).put((byte) 68).putLong(bytes).array();
    }
}
