package io.bivouac.sandboxio.port;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bivouac.agentlink.testing.RealAgent;
import io.bivouac.agentlink.testing.TestRelay;
import io.bivouac.agentlink.testing.Wait;
import io.bivouac.sandboxes.port.PublishedPort;
import io.bivouac.sandboxes.port.PublishedPorts;
import io.bivouac.sandboxes.store.SandboxStore;
import io.bivouac.sandboxmodel.SandboxId;
import io.bivouac.sandboxmodel.SandboxState;
import io.bivouac.sandboxmodel.transition.Happening.StopRequested;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The agent runs as a process of this machine here, so the sandbox's loopback address is ours. */
class PortListenersTest {
    private static final int LARGE = 32 << 20;

    @TempDir
    private Path folder;

    private ServerSocket program;
    private TestRelay relay;
    private RealAgent agent;
    private SandboxId sandbox;

    @BeforeEach
    void start() throws IOException {
        program = new ServerSocket(0, 8, InetAddress.getLoopbackAddress());
        relay = TestRelay.start(settings());
        sandbox = relay.sandbox();
        agent = relay.agent(sandbox);
    }

    private Map<String, Object> settings() throws IOException {
        var templates = Files.writeString(folder.resolve("templates.yml"), """
                templates:
                  - {name: default, roots: {none: host}, ports: [%d]}
                """.formatted(program.getLocalPort()));
        return Map.of("bivouac.templates", templates.toString());
    }

    @AfterEach
    void stop() throws IOException {
        agent.close();
        relay.close();
        program.close();
    }

    private int hostPort() {
        return relay.bean(PublishedPorts.class).of(sandbox).getFirst().hostPort();
    }

    private Socket client() throws IOException {
        return new Socket(PublishedPort.HOST, hostPort());
    }

    @Test
    void aClientOnTheHostTalksToAProgramInTheSandbox() throws Exception {
        try (var client = client();
                var served = program.accept()) {
            client.getOutputStream().write("question".getBytes(StandardCharsets.UTF_8));
            assertThat(new String(served.getInputStream().readNBytes(8), StandardCharsets.UTF_8))
                    .isEqualTo("question");
            served.getOutputStream().write("answer".getBytes(StandardCharsets.UTF_8));
            assertThat(new String(client.getInputStream().readNBytes(6), StandardCharsets.UTF_8))
                    .isEqualTo("answer");
        }
    }

    @Test
    void eachSideMayStopSendingAndStillListen() throws Exception {
        try (var client = client();
                var served = program.accept()) {
            client.getOutputStream().write(1);
            client.shutdownOutput();
            assertThat(served.getInputStream().readAllBytes()).containsExactly(1);
            served.getOutputStream().write(2);
            served.shutdownOutput();
            assertThat(client.getInputStream().readAllBytes()).containsExactly(2);
        }
    }

    @Test
    void whatIsSentArrivesWholeBothWaysAtOnce() throws Exception {
        var sent = new byte[LARGE];
        new Random(7).nextBytes(sent);
        try (var client = client();
                var served = program.accept();
                var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            threads.execute(() -> sendAndEnd(client, sent));
            threads.execute(() -> sendAndEnd(served, sent));
            var arrivedUp = threads.submit(() -> digest(served));
            assertThat(digest(client)).isEqualTo(digest(sent));
            assertThat(arrivedUp.get()).isEqualTo(digest(sent));
        }
    }

    @Test
    void oneThatDoesNotReadHoldsUpNobodyElse() throws Exception {
        try (var stalled = client();
                var flooding = program.accept()) {
            Thread.ofVirtual().start(() -> sendAndEnd(flooding, new byte[LARGE]));
            // Enough has come to show that the rest is on its way.
            assertThat(stalled.getInputStream().readNBytes(1)).hasSize(1);
            aClientOnTheHostTalksToAProgramInTheSandbox();
            assertThat(stalled.getInputStream().readAllBytes()).hasSize(LARGE - 1);
        }
    }

    @Test
    void aPortWhereNobodyListensBreaksOff() throws Exception {
        program.close();
        try (var client = client()) {
            assertThatThrownBy(() -> client.getInputStream().read()).isInstanceOf(IOException.class);
        }
    }

    @Test
    void theProgramLearnsThatTheClientIsGone() throws Exception {
        var client = client();
        try (var served = program.accept()) {
            client.setSoLinger(true, 0);
            client.close();
            assertThat(ended(served.getInputStream())).isTrue();
        }
    }

    /** By an end or a break. */
    private static boolean ended(InputStream in) {
        try {
            return in.read() < 0;
        } catch (IOException broken) {
            return true;
        }
    }

    @Test
    void nobodyListensAnyMoreOnceTheSandboxStops() {
        int port = hostPort();
        relay.bean(SandboxStore.class).on(sandbox, new StopRequested());
        Wait.until(() -> {
            try (var client = new Socket(PublishedPort.HOST, port)) {
                return !client.isConnected();
            } catch (IOException refused) {
                return true;
            }
        });
    }

    @Test
    void anotherRelayTakesTheSamePortAgain() throws Exception {
        int port = hostPort();
        relay.close();
        relay = TestRelay.start(relay.sockets(), settings());
        relay.await(sandbox, SandboxState.RUNNING);
        Thread.ofVirtual().start(this::echo);
        Wait.until(this::answers);
        assertThat(hostPort()).isEqualTo(port);
    }

    private void echo() {
        while (!program.isClosed()) {
            try (var served = program.accept()) {
                served.getInputStream().transferTo(served.getOutputStream());
            } catch (IOException over) {
                // Of one connection, or of the test.
            }
        }
    }

    private boolean answers() {
        try (var client = client()) {
            client.getOutputStream().write(3);
            client.shutdownOutput();
            return client.getInputStream().read() == 3;
        } catch (IOException notYet) {
            return false;
        }
    }

    private static void sendAndEnd(Socket to, byte[] bytes) {
        try {
            to.getOutputStream().write(bytes);
            to.shutdownOutput();
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    private static String digest(Socket from) {
        try {
            return digest(from.getInputStream().readAllBytes());
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    private static String digest(byte[] bytes) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
        } catch (java.security.NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
