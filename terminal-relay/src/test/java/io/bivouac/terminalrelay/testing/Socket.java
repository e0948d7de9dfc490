package io.bivouac.terminalrelay.testing;

import io.micronaut.json.tree.JsonNode;
import io.micronaut.serde.ObjectMapper;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Predicate;

/** A terminal's client as programs write it: the JDK's WebSocket, and everything that it heard. */
public final class Socket implements WebSocket.Listener, AutoCloseable {
    public static final String BINARY = "bivouac.terminal.v1";

    private static final int CUT = -1;
    private static final HttpClient CLIENT = HttpClient.newHttpClient();
    private static final ObjectMapper JSON = ObjectMapper.getDefault();

    /** A frame of the binary protocol. */
    public record Frame(int type, long number, byte[] payload) {
        public String text() {
            return new String(payload, StandardCharsets.UTF_8);
        }

        public JsonNode json() {
            return Socket.json(text());
        }
    }

    private final List<JsonNode> messages = new ArrayList<>();
    private final List<Frame> frames = new ArrayList<>();
    private final StringBuilder text = new StringBuilder();
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final ByteArrayOutputStream output = new ByteArrayOutputStream();
    private final CompletableFuture<Integer> closed = new CompletableFuture<>();
    private boolean reads = true;
    private int cutAt = Integer.MAX_VALUE;
    private WebSocket socket;

    private Socket() {}

    public static Socket open(String url, Map<String, String> headers, String... protocols) {
        var listener = new Socket();
        var builder = CLIENT.newWebSocketBuilder();
        headers.forEach(builder::header);
        if (protocols.length > 0) {
            builder.subprotocols(protocols[0], java.util.Arrays.copyOfRange(protocols, 1, protocols.length));
        }
        try {
            listener.socket = builder.buildAsync(URI.create(url), listener).join();
            return listener;
        } catch (CompletionException refused) {
            throw refused.getCause() instanceof RuntimeException cause
                    ? cause
                    : new IllegalStateException(refused.getCause());
        }
    }

    public static JsonNode json(String text) {
        try {
            return JSON.readValue(text, JsonNode.class);
        } catch (IOException malformed) {
            throw new UncheckedIOException(text, malformed);
        }
    }

    public String protocol() {
        return socket.getSubprotocol();
    }

    @Override
    public CompletionStage<?> onText(WebSocket from, CharSequence data, boolean last) {
        synchronized (this) {
            text.append(data);
            if (last) {
                messages.add(json(text.toString()));
                text.setLength(0);
                notifyAll();
            }
        }
        more(from);
        return null;
    }

    @Override
    public CompletionStage<?> onBinary(WebSocket from, ByteBuffer data, boolean last) {
        synchronized (this) {
            var part = new byte[data.remaining()];
            data.get(part);
            bytes.writeBytes(part);
            if (last) {
                take(ByteBuffer.wrap(bytes.toByteArray()));
                bytes.reset();
                notifyAll();
            }
            if (output.size() >= cutAt) {
                from.abort();
                closed.complete(CUT);
                return null;
            }
        }
        more(from);
        return null;
    }

    private void take(ByteBuffer whole) {
        int type = whole.get();
        long number = whole.getLong();
        var payload = new byte[whole.remaining()];
        whole.get(payload);
        if (type == 1) {
            output.writeBytes(payload);
        } else {
            frames.add(new Frame(type, number, payload));
        }
    }

    private void more(WebSocket from) {
        if (reads) {
            from.request(1);
        }
    }

    /** Takes nothing more from the network. */
    public void stopReading() {
        reads = false;
    }

    public void readOn() {
        reads = true;
        socket.request(1);
    }

    @Override
    public CompletionStage<?> onClose(WebSocket from, int status, String reason) {
        closed.complete(status);
        synchronized (this) {
            notifyAll();
        }
        return null;
    }

    @Override
    public void onError(WebSocket from, Throwable error) {
        closed.complete(CUT);
        synchronized (this) {
            notifyAll();
        }
    }

    public Socket send(String message) {
        socket.sendText(message, true).join();
        return this;
    }

    public Socket sendBytes(byte[] frame) {
        socket.sendBinary(ByteBuffer.wrap(frame), true).join();
        return this;
    }

    public WebSocket raw() {
        return socket;
    }

    /** One frame of the binary protocol. */
    public Socket frame(int type, long number, String payload) {
        var bytes = payload.getBytes(StandardCharsets.UTF_8);
        return sendBytes(ByteBuffer.allocate(9 + bytes.length)
                .put((byte) type)
                .putLong(number)
                .put(bytes)
                .array());
    }

    public Socket type(long sequence, String keys) {
        return frame(65, sequence, keys);
    }

    public synchronized String output() {
        return output.toString(StandardCharsets.UTF_8);
    }

    /** What came after the cable was pulled is not seen. */
    public synchronized byte[] outputBytes() {
        return output.toByteArray();
    }

    public synchronized int outputSize() {
        return output.size();
    }

    public synchronized List<Frame> frames() {
        return List.copyOf(frames);
    }

    public synchronized List<JsonNode> messages() {
        return List.copyOf(messages);
    }

    /** The text of all JSON output so far. */
    public synchronized String text() {
        var all = new StringBuilder();
        for (var message : messages) {
            if (message.get("type").getStringValue().equals("output")) {
                all.append(message.get("data").getStringValue());
            }
        }
        return all.toString();
    }

    public Socket awaitOutput(Predicate<String> fits) {
        Wait.until(() -> fits.test(output()), () -> "output so far: " + output() + frames());
        return this;
    }

    public Socket awaitOutputBytes(int count) {
        Wait.until(() -> outputBytes().length >= count || !isOpen() || exited());
        return this;
    }

    public boolean exited() {
        return frames().stream().anyMatch(frame -> frame.type() == 2);
    }

    public Socket awaitText(Predicate<String> fits) {
        Wait.until(() -> fits.test(text()), () -> "messages so far: " + messages());
        return this;
    }

    public Frame awaitFrame(int type) {
        return awaitFrame(frame -> frame.type() == type);
    }

    public Frame awaitFrame(Predicate<Frame> fits) {
        Wait.until(() -> frames().stream().anyMatch(fits), () -> "frames so far: " + frames());
        return frames().stream().filter(fits).findFirst().orElseThrow();
    }

    public JsonNode awaitMessage(String type) {
        Predicate<JsonNode> fits =
                message -> message.get("type").getStringValue().equals(type);
        Wait.until(() -> messages().stream().anyMatch(fits), () -> "messages so far: " + messages());
        return messages().stream().filter(fits).findFirst().orElseThrow();
    }

    /** The code with which the server closed; -1 when it was cut off. */
    public int awaitClose() {
        Wait.until(closed::isDone, () -> "still open after " + messages() + frames());
        return closed.join();
    }

    public boolean isOpen() {
        return !closed.isDone();
    }

    /** The same as soon as so much output has come, with more of it on its way. */
    public Socket cutAfter(int bytes) {
        synchronized (this) {
            cutAt = bytes;
        }
        return this;
    }

    /** As a cable that is pulled. */
    public void cut() {
        socket.abort();
    }

    @Override
    public void close() {
        if (!closed.isDone()) {
            socket.sendClose(WebSocket.NORMAL_CLOSURE, "");
        }
    }
}
