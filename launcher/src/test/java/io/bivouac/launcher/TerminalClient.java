package io.bivouac.launcher;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** A page with the binary protocol and a ticket; screens count as what is seen. */
final class TerminalClient implements WebSocket.Listener {
    private final ByteArrayOutputStream seen = new ByteArrayOutputStream();
    private final ByteArrayOutputStream message = new ByteArrayOutputStream();
    private volatile boolean closed;
    private volatile int closeStatus;
    private long next;
    private WebSocket socket;

    static String[] protocols(Map<String, Object> answer) {
        return ((List<?>) answer.get("protocols")).stream().map(String::valueOf).toArray(String[]::new);
    }

    static TerminalClient open(String url, String... protocols) {
        var client = new TerminalClient();
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
                next = ByteBuffer.wrap(whole, 1, Long.BYTES).getLong() + (whole[0] == 1 ? whole.length - 9 : 0);
            }
            message.reset();
        }
        from.request(1);
        return null;
    }

    @Override
    public CompletionStage<?> onClose(WebSocket from, int status, String reason) {
        closeStatus = status;
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

    /** The offset after the last byte that was seen. */
    synchronized long next() {
        return next;
    }

    /** How the server closed; 0 when it did not say. */
    int closeStatus() {
        return closeStatus;
    }

    void await(Predicate<String> fits) throws InterruptedException {
        try {
            ServerProcess.await("the terminal shows it", () -> fits.test(seen()));
        } catch (AssertionError missing) {
            throw new AssertionError("seen: " + seen(), missing);
        }
    }

    /** What a person would see now. */
    String picture() {
        byte[] output;
        synchronized (this) {
            output = seen.toByteArray();
        }
        try {
            return HeadlessXterm.picture(output);
        } catch (IOException | InterruptedException failed) {
            throw new IllegalStateException(failed);
        }
    }

    /** The first picture that has all of these. */
    String awaitPicture(String... parts) throws InterruptedException {
        var last = new AtomicReference<>("");
        try {
            ServerProcess.await("the screen shows it", () -> {
                last.set(picture());
                return Stream.of(parts).allMatch(last.get()::contains);
            });
        } catch (AssertionError missing) {
            throw new AssertionError("seen: " + last.get(), missing);
        }
        return last.get();
    }

    void awaitClose() throws InterruptedException {
        ServerProcess.await("the terminal is over", () -> closed);
    }
}
