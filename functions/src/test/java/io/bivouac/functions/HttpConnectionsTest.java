package io.bivouac.functions;

import static org.assertj.core.api.Assertions.assertThat;

import io.bivouac.foundation.fixture.TestStack;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Connections are bounded before anybody has logged in. */
class HttpConnectionsTest {
    private static final int MOST = 5;
    private static final int READ_MILLIS = 30_000;
    private static final int UNREAD = 20;
    private static final int SMALL_WINDOW = 4_096;
    private static final String INTERIM = "HTTP/1.1 100 Continue\r\n\r\n";

    private final List<Socket> sockets = new ArrayList<>();
    private TestServer server;

    @AfterEach
    void stop() throws IOException {
        for (var socket : sockets) {
            socket.close();
        }
        server.stop();
    }

    private Socket connect() throws IOException {
        var url = server.client().request("/").build().uri();
        var socket = new Socket();
        socket.setReceiveBufferSize(SMALL_WINDOW);
        socket.connect(new InetSocketAddress(url.getHost(), url.getPort()));
        socket.setSoTimeout(READ_MILLIS);
        sockets.add(socket);
        return socket;
    }

    private static String get(Socket socket, String path) throws IOException {
        socket.getOutputStream()
                .write(("GET " + path + " HTTP/1.1\r\nHost: 127.0.0.1\r\nX-API-Key: " + TestStack.API_KEY + "\r\n\r\n")
                        .getBytes(StandardCharsets.US_ASCII));
        var head = new StringBuilder();
        int length = 0;
        while (!head.toString().endsWith("\r\n\r\n")) {
            int next = socket.getInputStream().read();
            if (next < 0) {
                return "closed";
            }
            head.append((char) next);
        }
        for (var line : head.toString().split("\r\n")) {
            if (line.toLowerCase(java.util.Locale.ROOT).startsWith("content-length:")) {
                length = Integer.parseInt(
                        line.substring("content-length:".length()).strip());
            }
        }
        socket.getInputStream().readNBytes(length);
        return head.substring("HTTP/1.1 ".length(), "HTTP/1.1 200".length());
    }

    private static boolean isClosed(Socket socket) throws IOException {
        try {
            return socket.getInputStream().read() < 0;
        } catch (SocketException reset) {
            return true;
        }
    }

    private void send(Socket socket, String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
    }

    private double closed(String reason) {
        var line = "bivouac_http_connections_closed_total{reason=\"" + reason + "\"} ";
        return server.client()
                .get("/metrics")
                .body()
                .lines()
                .filter(one -> one.startsWith(line))
                .mapToDouble(one -> Double.parseDouble(one.substring(line.length())))
                .sum();
    }

    private void awaitClosed(String reason, int count) {
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(READ_MILLIS);
        while (closed(reason) < count) {
            assertThat(System.nanoTime()).as("too few are closed").isLessThan(end);
        }
    }

    @Test
    void aStrangersRequestIsWholeInTime() throws IOException {
        server = TestServer.with(Map.of("bivouac.http.request-timeout", "300ms"));
        var silent = connect();
        var slow = connect();
        send(slow, "GET /health HT");
        var second = connect();
        assertThat(get(second, "/health")).isEqualTo("200");
        send(second, "GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 9\r\n\r\n");
        assertThat(isClosed(silent)).isTrue();
        assertThat(isClosed(slow)).isTrue();
        while (!isClosed(second)) {
            // The answer to its head may come first.
        }
        assertThat(closed("silent")).isEqualTo(3);
    }

    @Test
    void whoHasLoggedInMayTakeTheirTime() throws Exception {
        server = TestServer.with(Map.of("bivouac.http.request-timeout", "300ms"));
        var user = connect();
        assertThat(get(user, "/api/v1/templates")).isEqualTo("200");
        var silent = connect();
        assertThat(isClosed(silent)).isTrue();
        send(user, "GET /api/v1/templates HTTP/1.1\r\nHost: 127.0.0.1\r\n");
        assertThat(isClosed(connect())).isTrue();
        send(user, "X-API-Key: " + TestStack.API_KEY + "\r\nX-Rest: ");
        assertThat(get(user, "rest")).isEqualTo("200");
    }

    @Test
    void theLongestWaitingStrangerMakesRoom() throws IOException {
        server = TestServer.with(Map.of("bivouac.http.connections", MOST));
        var user = connect();
        assertThat(get(user, "/api/v1/templates")).isEqualTo("200");
        for (int i = 0; i < 2 * MOST; i++) {
            connect();
        }
        awaitClosed("bound", MOST);
        assertThat(get(connect(), "/health")).isEqualTo("200");
        // Whoever has logged in is not in the way.
        assertThat(get(user, "/api/v1/templates")).isEqualTo("200");
    }

    @Test
    void anUploadOfWhoHasLoggedInStays() throws IOException {
        server = TestServer.with(Map.of("bivouac.http.connections", MOST));
        var user = connect();
        send(
                user,
                "POST /api/v1/sandboxes HTTP/1.1\r\nHost: 127.0.0.1\r\nExpect: 100-continue\r\nX-API-Key: "
                        + TestStack.API_KEY
                        + "\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n");
        assertThat(new String(user.getInputStream().readNBytes(INTERIM.length()), StandardCharsets.US_ASCII))
                .isEqualTo(INTERIM);
        for (int i = 0; i < 2 * MOST; i++) {
            connect();
        }
        awaitClosed("bound", MOST);
        send(user, "[]");
        assertThat(new String(user.getInputStream().readNBytes(12), StandardCharsets.US_ASCII))
                .isEqualTo("HTTP/1.1 400");
    }

    @Test
    void clientsThatDoNotReadAreClosedWhenTooMuchWaits() throws IOException {
        server = TestServer.with(Map.of("bivouac.http.unread", 256 << 10));
        var request = "GET /openapi.yml HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n";
        for (int i = 0; i < UNREAD; i++) {
            send(connect(), request.repeat(200));
        }
        awaitClosed("unread", 1);
        assertThat(server.client().get("/health").status()).isEqualTo(200);
    }
}
