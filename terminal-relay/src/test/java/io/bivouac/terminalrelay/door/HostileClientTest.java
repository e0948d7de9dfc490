package io.bivouac.terminalrelay.door;

import static org.assertj.core.api.Assertions.assertThat;

import io.bivouac.terminalrelay.testing.Socket;
import io.bivouac.terminalrelay.testing.TestRelay;
import io.bivouac.terminalrelay.testing.Wait;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;

/** Clients that say whatever they like, at each door. */
class HostileClientTest {
    private static final int ROUNDS = 15;
    private static final int FRAMES = 40;

    @Test
    void noDoorIsBrokenByNonsense() {
        try (var relay =
                TestRelay.start(Map.of("bivouac.terminal.per-user", 10_000, "bivouac.terminal.kill-after", "200ms"))) {
            var id = relay.sandbox();
            try (var _ = relay.agent(id)) {
                var random = new Random(1116);
                var session = relay.http()
                        .post("/-/terminal/sessions", Map.of("sandboxId", id.value(), "command", "cat"))
                        .text("sessionId");
                var pty =
                        relay.http().post(id + "/pty", Map.of("command", "cat")).text("id");
                for (var door : List.of(
                        id + "/pty/" + pty + "/ws",
                        "/-/terminal/sessions/" + session + "/ws",
                        id + "/exec/interactive?command=cat",
                        id + "/exec/interactive?command=cat&tty=false")) {
                    for (int round = 0; round < ROUNDS; round++) {
                        molest(
                                round % 2 == 0
                                        ? relay.http().socket(door)
                                        : relay.http().socket(door, Socket.BINARY),
                                random);
                    }
                }
                try (var socket = relay.http().socket(id + "/pty/" + pty + "/ws", Socket.BINARY)) {
                    socket.frame(65, 1, "\u0003");
                    Wait.until(
                            () -> socket.frames().stream().anyMatch(frame -> frame.type() == 5 || frame.type() == 2));
                }
                var health = relay.http().post(id + "/process/run", Map.of("command", "echo fine"));
                assertThat(health.text("stdout")).isEqualTo("fine\n");
            }
        }
    }

    @Test
    void whoAsksForOutputAgainAndAgainIsToldToWait() {
        try (var relay = TestRelay.start()) {
            var id = relay.sandbox();
            try (var _ = relay.agent(id)) {
                var pty =
                        relay.http().post(id + "/pty", Map.of("command", "cat")).text("id");
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

    private static void molest(Socket socket, Random random) {
        try {
            for (int i = 0; i < FRAMES && socket.isOpen(); i++) {
                switch (random.nextInt(6)) {
                    case 0 -> socket.send("{\"type\":\"input\",\"data\":\"" + "A".repeat(random.nextInt(2000)) + "\"}");
                    case 1 ->
                        socket.send("{\"type\":\""
                                + List.of("resize", "signal", "ping", "x").get(random.nextInt(4)) + "\"}");
                    case 2 -> {
                        var bytes = new byte[random.nextInt(300)];
                        random.nextBytes(bytes);
                        socket.sendBytes(bytes);
                    }
                    case 3 ->
                        socket.frame(64 + random.nextInt(8), random.nextLong(), "{\"type\":\"resume\",\"from\":0}");
                    case 4 ->
                        socket.raw()
                                .sendPing(ByteBuffer.allocate(random.nextInt(100)))
                                .join();
                    default ->
                        socket.frame(
                                66, 0, "{\"cols\":" + random.nextInt(2000) + ",\"rows\":" + random.nextInt(2000) + "}");
                }
            }
        } catch (CompletionException | IllegalStateException closed) {
            // The server may well have had enough.
        }
        if (random.nextBoolean()) {
            socket.cut();
        } else {
            socket.close();
        }
    }
}
