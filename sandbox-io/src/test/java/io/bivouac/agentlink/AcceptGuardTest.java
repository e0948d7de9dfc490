package io.bivouac.agentlink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.bivouac.agentlink.testing.TestRelay;
import io.bivouac.agentlink.testing.Wait;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A workload that reaches the relay's socket takes neither its descriptors nor anybody else's place. */
class AcceptGuardTest {
    private static final int TRIED = 40;

    /**
     * Connects from processes of its own, some of them below others or gone at once, and says how many are still open
     * when all beyond the bound have been closed.
     */
    private static final String HOLD = """
            import os, select, socket, sys
            path, tried, bound = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
            held, pids = [], []
            for i in range(tried):
                ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_STREAM)
                pid = os.fork()
                if pid == 0:
                    if i % 3 == 1 and os.fork() != 0:
                        os.wait()
                        os._exit(0)
                    one = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
                    one.connect(path)
                    socket.send_fds(theirs, [b"x"], [one.fileno()])
                    if i % 3 != 2:
                        select.select([one], [], [], 4)
                    os._exit(0)
                held.append(socket.socket(fileno=socket.recv_fds(ours, 1, 1)[1][0]))
                pids.append(pid)
                if i % 3 == 2:
                    os.waitpid(pid, 0)
            poll = select.poll()
            for one in held:
                poll.register(one, select.POLLRDHUP)
            closed = set()
            while len(closed) < tried - bound:
                events = poll.poll(30000)
                if not events:
                    break
                for descriptor, _ in events:
                    closed.add(descriptor)
                    poll.unregister(descriptor)
            print(tried - len(closed), flush=True)
            sys.stdin.read()
            """;

    private TestRelay relay;
    private Process namespace;

    @BeforeEach
    void start() {
        assumeTrue("root".equals(System.getProperty("user.name")), "process namespaces need root");
        relay = TestRelay.start();
    }

    @AfterEach
    void stop() {
        if (namespace != null) {
            namespace.descendants().forEach(ProcessHandle::destroyForcibly);
            namespace.destroyForcibly();
        }
        if (relay != null) {
            relay.close();
        }
    }

    private Path socket() throws IOException {
        try (var sockets = Files.newDirectoryStream(relay.sockets(), "*.sock")) {
            return sockets.iterator().next();
        }
    }

    private double refused(String bound) {
        return relay.bean(MeterRegistry.class)
                .counter("bivouac.agents.connections.refused", "bound", bound)
                .count();
    }

    @Test
    void aSandboxHasAFewConnectionsAndOthersAreServed() throws Exception {
        namespace = new ProcessBuilder(
                        "unshare",
                        "--pid",
                        "--fork",
                        "python3",
                        "-c",
                        HOLD,
                        socket().toString(),
                        String.valueOf(TRIED),
                        String.valueOf(Bounds.CONNECTIONS_OF_A_SANDBOX))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        var open = namespace.inputReader(StandardCharsets.US_ASCII).readLine();
        assertThat(Integer.parseInt(open)).isLessThanOrEqualTo(Bounds.CONNECTIONS_OF_A_SANDBOX);
        assertThat(refused("sandbox") + refused("unknown"))
                .isGreaterThanOrEqualTo(TRIED - Bounds.CONNECTIONS_OF_A_SANDBOX);
        var other = relay.sandbox();
        try (var _ = relay.agent(other)) {
            assertThat(relay.http()
                            .post(other + "/exec", Map.of("command", List.of("true")))
                            .number("exitCode"))
                    .isZero();
        }
    }

    @Test
    void aSilentConnectionEndsByItself() throws Exception {
        try (var silent = SocketChannel.open(UnixDomainSocketAddress.of(socket()))) {
            var read = ByteBuffer.allocate(1_024);
            Wait.until(() -> {
                try {
                    return silent.read(read.clear()) < 0;
                } catch (IOException cut) {
                    return true;
                }
            });
        }
    }
}
