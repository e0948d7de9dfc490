package io.bivouac.launcher;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;

/**
 * Requests that change nothing, sent to the server by itself: filters, routes, JSON and error answers are loaded and
 * compiled before the first user's request needs them. A plain socket: an HTTP client would have to be loaded as well.
 */
record RequestRehearsal(URI server, String apiKey) {
    private static final int TIMEOUT_MILLIS = 2_000;
    private static final int LONGEST_ANSWER = 1 << 20;
    private static final int ROUNDS = 3;

    /** A template and a sandbox that cannot exist, by their names. */
    private static final List<Message> MESSAGES = List.of(
            new Message(
                    "POST",
                    "/api/v1/sandboxes",
                    "{\"template\":\"/warm-up\",\"name\":\"warm-up\",\"timeoutSeconds\":60,\"envs\":{\"A\":\"b\"}}"),
            new Message(
                    "POST", "/api/v1/sandboxes/sbx-00000000000000000000000000/process/run", "{\"command\":\"true\"}"),
            new Message("DELETE", "/api/v1/sandboxes/sbx-00000000000000000000000000", ""),
            new Message("GET", "/api/v1/sandboxes?limit=1", ""));

    private record Message(String method, String path, String body) {}

    /** With TLS nothing is sent: a certificate may be for any name. */
    void run() throws IOException {
        if (!server.getScheme().equals("http")) {
            return;
        }
        try (var socket = new Socket(server.getHost(), server.getPort())) {
            socket.setSoTimeout(TIMEOUT_MILLIS);
            socket.setTcpNoDelay(true);
            var in = new BufferedInputStream(socket.getInputStream());
            for (int round = 0; round < ROUNDS; round++) {
                for (var message : MESSAGES) {
                    socket.getOutputStream().write(bytesOf(message));
                    readAnswer(in);
                }
            }
        }
    }

    private byte[] bytesOf(Message message) {
        var body = message.body().getBytes(StandardCharsets.UTF_8);
        var head =
                "%s %s HTTP/1.1\r\nHost: %s:%d\r\nX-API-Key: %s\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n"
                        .formatted(
                                message.method(),
                                message.path(),
                                server.getHost(),
                                server.getPort(),
                                apiKey,
                                body.length);
        return (head + message.body()).getBytes(StandardCharsets.UTF_8);
    }

    private static void readAnswer(InputStream in) throws IOException {
        int length = 0;
        for (var line = readLine(in); !line.isEmpty(); line = readLine(in)) {
            if (line.toLowerCase(Locale.ROOT).startsWith("content-length:")) {
                length = Integer.parseInt(line.substring(line.indexOf(':') + 1).strip());
            }
        }
        if (length < 0 || length > LONGEST_ANSWER) {
            throw new IOException("an answer of " + length + " bytes");
        }
        in.skipNBytes(length);
    }

    private static String readLine(InputStream in) throws IOException {
        var line = new StringBuilder();
        for (int next = in.read(); next != '\n'; next = in.read()) {
            if (next < 0) {
                throw new IOException("the connection was closed");
            }
            if (next != '\r') {
                line.append((char) next);
            }
        }
        return line.toString();
    }
}
