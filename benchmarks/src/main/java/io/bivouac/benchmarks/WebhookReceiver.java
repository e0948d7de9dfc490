package io.bivouac.benchmarks;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/** The cheapest server that takes webhooks: reads a request, notes its id, answers 204 or never. */
final class WebhookReceiver implements AutoCloseable {
    private static final byte[] ANSWER = "HTTP/1.1 204 No Content\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
    private static final int LARGEST_REQUEST = 64 << 10;

    private final ServerSocket server;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final AtomicLong count = new AtomicLong();
    private final boolean silent;
    private final Consumer<String> ids;
    private volatile long lastAt;

    private WebhookReceiver(boolean silent, Consumer<String> ids) throws IOException {
        this.silent = silent;
        this.ids = ids;
        server = new ServerSocket(0, 1024, InetAddress.getLoopbackAddress());
        threads.execute(this::accept);
    }

    static WebhookReceiver answering(Consumer<String> ids) throws IOException {
        return new WebhookReceiver(false, ids);
    }

    static WebhookReceiver silent() throws IOException {
        return new WebhookReceiver(true, _ -> {});
    }

    String url() {
        return "http://127.0.0.1:" + server.getLocalPort() + "/";
    }

    long count() {
        return count.get();
    }

    /** When the last one came, by the nanosecond clock. */
    long lastAt() {
        return lastAt;
    }

    private void accept() {
        try {
            while (true) {
                var socket = server.accept();
                socket.setTcpNoDelay(true);
                threads.execute(() -> serve(socket));
            }
        } catch (IOException closed) {
            // The end of the benchmark.
        }
    }

    private void serve(Socket socket) {
        var buffer = new byte[LARGEST_REQUEST];
        try (socket) {
            var in = socket.getInputStream();
            var out = socket.getOutputStream();
            while (request(in, buffer)) {
                if (!silent) {
                    lastAt = System.nanoTime();
                    count.incrementAndGet();
                    out.write(ANSWER);
                }
            }
        } catch (IOException closed) {
            // The messenger ended the connection.
        }
    }

    /** Reads one request, false at the end; the messenger never sends a second before the answer. */
    private boolean request(InputStream in, byte[] buffer) throws IOException {
        int have = 0;
        int body = -1;
        while (true) {
            int read = in.read(buffer, have, buffer.length - have);
            if (read < 0) {
                return false;
            }
            have += read;
            if (body < 0) {
                body = bodyAt(buffer, have);
            }
            if (body >= 0) {
                var head = new String(buffer, 0, body, StandardCharsets.US_ASCII);
                if (have >= body + number(head, "content-length: ")) {
                    ids.accept(word(head, "webhook-id: "));
                    return true;
                }
            }
        }
    }

    private static int bodyAt(byte[] buffer, int have) {
        for (int i = 3; i < have; i++) {
            if (buffer[i] == '\n' && buffer[i - 1] == '\r' && buffer[i - 2] == '\n') {
                return i + 1;
            }
        }
        return -1;
    }

    private static int number(String head, String name) {
        return Integer.parseInt(word(head, name));
    }

    private static String word(String head, String name) {
        int at = head.indexOf(name) + name.length();
        return head.substring(at, head.indexOf('\r', at));
    }

    @Override
    public void close() throws IOException {
        server.close();
        threads.shutdownNow();
    }
}
