package io.bivouac.benchmarks;

import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/**
 * One kept-alive HTTP/1.1 connection to a server on this machine, as lean as can be: it shares the processors with what
 * it measures. Not thread-safe.
 */
final class Connection implements AutoCloseable {
    private static final int BUFFER = 256 * 1024;

    private final Socket socket;
    private final String key;
    private final byte[] buffer = new byte[BUFFER];
    private int from;
    private int to;

    Connection(int port, String key) throws IOException {
        this.socket = new Socket(InetAddress.getLoopbackAddress(), port);
        this.socket.setTcpNoDelay(true);
        this.key = key;
    }

    /** An answer that was read to its end. */
    record Answer(int status, String body) {
        Answer mustBe(int expected) {
            if (status != expected) {
                throw new IllegalStateException("expected " + expected + ", seen " + status + ": " + body);
            }
            return this;
        }
    }

    /** Takes the pieces of an answer's body as they come; they lie in the connection's own buffer. */
    @FunctionalInterface
    interface Pieces {
        void take(byte[] bytes, int offset, int length);
    }

    byte[] request(String method, String path, String body) {
        var content = body.getBytes(StandardCharsets.UTF_8);
        var head = method + " " + path + " HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer " + key
                + "\r\nContent-Type: application/json\r\nContent-Length: " + content.length + "\r\n\r\n";
        return (head + body).getBytes(StandardCharsets.UTF_8);
    }

    Answer get(String path) throws IOException {
        return send(request("GET", path, ""));
    }

    Answer post(String path, String body) throws IOException {
        return send(request("POST", path, body));
    }

    Answer delete(String path) throws IOException {
        return send(request("DELETE", path, ""));
    }

    Answer send(byte[] request) throws IOException {
        var body = new StringBuilder();
        int status = send(
                request,
                (bytes, offset, length) -> body.append(new String(bytes, offset, length, StandardCharsets.ISO_8859_1)));
        return new Answer(status, body.toString());
    }

    /** Puts this piece there, as often as it takes to have the length. */
    Answer upload(String path, long length, byte[] piece) throws IOException {
        var head = "PUT " + path + " HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer " + key
                + "\r\nContent-Type: application/octet-stream\r\nContent-Length: " + length + "\r\n\r\n";
        var out = socket.getOutputStream();
        out.write(head.getBytes(StandardCharsets.US_ASCII));
        for (long left = length; left > 0; left -= Math.min(left, piece.length)) {
            out.write(piece, 0, (int) Math.min(left, piece.length));
        }
        var body = new StringBuilder();
        int status = answer(
                (bytes, offset, size) -> body.append(new String(bytes, offset, size, StandardCharsets.ISO_8859_1)));
        return new Answer(status, body.toString());
    }

    /** Gives the status when the whole body was taken. */
    int send(byte[] request, Pieces pieces) throws IOException {
        socket.getOutputStream().write(request);
        return answer(pieces);
    }

    private int answer(Pieces pieces) throws IOException {
        var status = line();
        long length = 0;
        boolean chunked = false;
        for (var header = line(); !header.isEmpty(); header = line()) {
            var lower = header.toLowerCase(Locale.ROOT);
            if (lower.startsWith("content-length:")) {
                length = Long.parseLong(
                        lower.substring("content-length:".length()).strip());
            } else if (lower.startsWith("transfer-encoding:") && lower.contains("chunked")) {
                chunked = true;
            }
        }
        if (chunked) {
            chunks(pieces);
        } else {
            body(length, pieces);
        }
        return Integer.parseInt(status.substring("HTTP/1.1 ".length(), "HTTP/1.1 200".length()));
    }

    private void chunks(Pieces pieces) throws IOException {
        for (long size = chunkSize(); size > 0; size = chunkSize()) {
            body(size, pieces);
            line();
        }
        while (!line().isEmpty()) {}
    }

    private long chunkSize() throws IOException {
        return Long.parseLong(line().split(";", 2)[0].strip(), 16);
    }

    private void body(long length, Pieces pieces) throws IOException {
        for (long left = length; left > 0; ) {
            if (from == to) {
                fill();
            }
            int piece = (int) Math.min(left, to - from);
            pieces.take(buffer, from, piece);
            from += piece;
            left -= piece;
        }
    }

    private String line() throws IOException {
        var line = new StringBuilder();
        while (true) {
            if (from == to) {
                fill();
            }
            char next = (char) buffer[from++];
            if (next == '\n') {
                return line.toString();
            }
            if (next != '\r') {
                line.append(next);
            }
        }
    }

    private void fill() throws IOException {
        from = 0;
        to = Math.max(0, socket.getInputStream().read(buffer));
        if (to == 0) {
            throw new EOFException("the server closed the connection");
        }
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
