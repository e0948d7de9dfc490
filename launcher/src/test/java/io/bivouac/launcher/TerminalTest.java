package io.bivouac.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/** Terminals into real sandboxes, through the whole server, as a page would open them. */
class TerminalTest {
    private static final Map<String, String> SETTINGS = Map.of("BIVOUAC_TERMINAL_LOOK_EVERY", "500ms");

    @Test
    void aTerminalOutlivesItsServer() throws Exception {
        try (var site = CrashSite.open(SETTINGS)) {
            var sandbox = site.api().created();
            var pty = Api.json(Api.expect(201, site.api().send("POST", "/api/v1/sandboxes/" + sandbox + "/pty", "{}")));
            var path = "/api/v1/sandboxes/" + sandbox + "/pty/" + pty.get("id");
            var client = Client.open(String.valueOf(pty.get("websocketUrl")) + "?source=me", protocols(pty));
            client.type(1, "echo $((6*7)) > /workspace/answer; cat /workspace/answer; tty; exec vi -u NONE answer\n");
            client.await(seen -> seen.contains("42\r\n/dev/pts/") && seen.contains("\u001b[?1049h"));

            site.kill();
            site.start();

            var again = Api.json(Api.expect(200, site.api().send("POST", path + "/ticket", "")));
            var screen = Client.open("ws" + site.api().url().substring(4) + path + "/ws?source=me", protocols(again));
            screen.await(seen -> seen.contains("42"));
            screen.type(2, ":!echo still-$((1+1))\n");
            screen.await(seen -> seen.contains("still-2"));
            Api.expect(204, site.api().send("DELETE", path, ""));
            screen.awaitClose();
            Api.expect(204, site.api().delete(sandbox));
        }
    }

    @Test
    void aSessionWithoutASandboxGetsOneThatEndsWithIt() throws Exception {
        try (var site = CrashSite.open(SETTINGS)) {
            var made = Api.json(Api.expect(
                    201, site.api().send("POST", "/-/terminal/sessions", "{\"command\":\"cat\",\"timeout\":600}")));
            assertThat(site.api().sandboxes()).containsOnlyKeys(String.valueOf(made.get("sandboxId")));
            var client = Client.open(String.valueOf(made.get("wsUrl")), protocols(made));
            client.type(1, "hello\n");
            client.await(seen -> seen.equals("hello\r\nhello\r\n"));
            Api.expect(204, site.api().send("DELETE", "/-/terminal/sessions/" + made.get("sessionId"), ""));
            client.awaitClose();
            ServerProcess.await("the sandbox is gone", () -> isEmpty(site));
        }
    }

    private static boolean isEmpty(CrashSite site) {
        try {
            return site.api().sandboxes().isEmpty();
        } catch (java.io.IOException | InterruptedException failed) {
            return false;
        }
    }

    private static String[] protocols(Map<String, Object> answer) {
        return ((List<?>) answer.get("protocols")).stream().map(String::valueOf).toArray(String[]::new);
    }

    /** A page with the binary protocol and a ticket; screens count as what is seen. */
    private static final class Client implements WebSocket.Listener {
        private final ByteArrayOutputStream seen = new ByteArrayOutputStream();
        private final ByteArrayOutputStream message = new ByteArrayOutputStream();
        private volatile boolean closed;
        private WebSocket socket;

        static Client open(String url, String... protocols) {
            var client = new Client();
            client.socket = HttpClient.newHttpClient()
                    .newWebSocketBuilder()
                    .subprotocols(protocols[0], protocols[1])
                    .buildAsync(URI.create(url), client)
                    .join();
            return client;
        }

        @Override
        public synchronized CompletionStage<?> onBinary(WebSocket from, ByteBuffer data, boolean last) {
            var part = new byte[data.remaining()];
            data.get(part);
            message.writeBytes(part);
            if (last) {
                var whole = message.toByteArray();
                if (whole[0] == 1 || whole[0] == 7) {
                    seen.write(whole, 9, whole.length - 9);
                }
                message.reset();
            }
            from.request(1);
            return null;
        }

        @Override
        public CompletionStage<?> onClose(WebSocket from, int status, String reason) {
            closed = true;
            return null;
        }

        @Override
        public void onError(WebSocket from, Throwable error) {
            closed = true;
        }

        void type(long sequence, String keys) {
            var bytes = keys.getBytes(StandardCharsets.UTF_8);
            socket.sendBinary(
                            ByteBuffer.allocate(9 + bytes.length)
                                    .put((byte) 65)
                                    .putLong(sequence)
                                    .put(bytes)
                                    .flip(),
                            true)
                    .join();
        }

        synchronized String seen() {
            return seen.toString(StandardCharsets.UTF_8);
        }

        void await(Predicate<String> fits) throws InterruptedException {
            try {
                ServerProcess.await("the terminal shows it", () -> fits.test(seen()));
            } catch (AssertionError missing) {
                throw new AssertionError("seen: " + seen(), missing);
            }
        }

        void awaitClose() throws InterruptedException {
            ServerProcess.await("the terminal is over", () -> closed);
        }
    }
}
