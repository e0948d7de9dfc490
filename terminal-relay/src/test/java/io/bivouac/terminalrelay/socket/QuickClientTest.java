package io.bivouac.terminalrelay.socket;

import static org.assertj.core.api.Assertions.assertThat;

import io.bivouac.agentlink.testing.RawSocket;
import io.bivouac.agentlink.testing.RealAgent;
import io.bivouac.agentlink.testing.Socket;
import io.bivouac.agentlink.testing.TestRelay;
import io.bivouac.agentlink.testing.Wait;
import io.bivouac.sandboxmodel.SandboxId;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Clients that do not wait for anything once their WebSocket is open. */
class QuickClientTest {
    private static final String BINARY = "Sec-WebSocket-Protocol: " + Socket.BINARY + "\r\n";
    private static final int INPUT = 65;
    private static final int CLIENTS = 25;
    private static final int AT_ONCE = 8;
    private static final int PIECES = 32;
    private static final int PIECE = 32 * 1024;

    private static TestRelay relay;
    private static SandboxId id;
    private static RealAgent agent;

    @BeforeAll
    static void start() {
        relay = TestRelay.start(Map.of("bivouac.terminal.per-user", 10_000, "bivouac.terminal.kill-after", "200ms"));
        id = relay.sandbox();
        agent = relay.agent(id);
    }

    @AfterAll
    static void stop() {
        agent.close();
        relay.close();
    }

    @Test
    void muchMayBeTypedBeforeTheCommandHasStarted() throws Exception {
        try (var clients = Executors.newFixedThreadPool(AT_ONCE)) {
            var counts = new ArrayList<Callable<String>>();
            for (int i = 0; i < CLIENTS; i++) {
                counts.add(QuickClientTest::counted);
            }
            for (var count : clients.invokeAll(counts)) {
                assertThat(count.get()).isEqualTo(Integer.toString(PIECES * PIECE));
            }
        }
    }

    private static String counted() {
        var piece = ByteBuffer.allocate(9 + PIECE).put((byte) INPUT).array();
        try (var socket =
                relay.http().socket(id + "/exec/interactive?tty=false&command=wc&command=-c", Socket.BINARY)) {
            for (int i = 0; i < PIECES; i++) {
                socket.sendBytes(piece);
            }
            socket.frame(69, 0, "{\"type\":\"end\"}");
            Wait.until(() -> !socket.isOpen() || socket.exited());
            return socket.output().trim();
        }
    }

    @Test
    void aCommandsLastWordsAreHeardThoughItReadsNothing() throws Exception {
        var command = "/exec/interactive?tty=false&command=sh&command=-c&command=sleep%201;echo%20last%20words";
        try (var socket = RawSocket.ask(relay.http(), id + command, BINARY).opened();
                var other = Executors.newSingleThreadExecutor()) {
            // More than fits on the way: what the command does not take is unread when it ends.
            var writing = other.submit(() -> {
                for (int i = 0; i < 8 * PIECES; i++) {
                    socket.send(INPUT, new byte[PIECE]);
                }
                socket.sendClose();
                return null;
            });
            var heard = new StringBuilder();
            for (var message = socket.read(); !message.isClose(); message = socket.read()) {
                heard.append(new String(message.payload(), StandardCharsets.UTF_8));
            }
            assertThat(heard.toString()).contains("last words").contains("\"exitCode\":0");
            writing.get();
            // Nothing after a goodbye, and an end in order.
            assertThat(socket.isAtEnd()).isTrue();
        }
    }

    @Test
    void whoLeavesAtOnceLeavesNothingRunning() throws IOException {
        for (int i = 0; i < CLIENTS; i++) {
            var path = id + "/exec/interactive?tty=" + (i % 2 == 0) + "&command=sleep&command=7213.25";
            var socket = RawSocket.ask(relay.http(), path, "");
            assertThat(socket.firstByte()).isEqualTo('H');
            socket.reset();
        }
        // The last one comes after the others: what they left would be seen beside it.
        try (var last = relay.http().socket(id + "/exec/interactive?tty=false&command=echo&command=here")) {
            last.awaitMessage("exit");
        }
        Wait.until(() -> !isRunning("sleep 7213.25"));
    }

    private static boolean isRunning(String command) {
        return ProcessHandle.allProcesses()
                .anyMatch(process -> process.info()
                        .commandLine()
                        .filter(line -> line.endsWith(command))
                        .isPresent());
    }
}
