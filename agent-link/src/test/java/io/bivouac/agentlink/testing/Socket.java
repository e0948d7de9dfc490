package io.bivouac.agentlink.testing;

import io.micronaut.json.tree.JsonNode;
import io.micronaut.serde.ObjectMapper;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;

/** A terminal's client as programs write it, and everything that it heard. */
public final class Socket implements AutoCloseable {
    public static final String BINARY = "bivouac.terminal.v1";

    private static final int CUT = -1;
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
    private final ByteArrayOutputStream output = new ByteArrayOutputStream();
    private final CompletableFuture<Integer> closed = new CompletableFuture<>();
    private int cutAt = Integer.MAX_VALUE;
    private boolean inParts;
    private volatile WebSocketLine line;

    private Socket() {}

    public static Socket open(String url, Map<String, String> headers, String... protocols) {
        var socket = new Socket();
        socket.line = WebSocketLine.open(url, headers, protocols, socket.new Heard());
        return socket;
    }

    public static JsonNode json(String text) {
        try {
            return JSON.readValue(text, JsonNode.class);
        } catch (IOException malformed) {
            throw new UncheckedIOException(text, malformed);
        }
    }

    public String protocol() {
        return line.protocol();
    }

    private final class Heard implements WebSocketLine.Ear {
        @Override
        public void text(String whole) {
            synchronized (Socket.this) {
                messages.add(json(whole));
            }
        }

        @Override
        public void bytes(byte[] whole) {
            synchronized (Socket.this) {
                if (closed.isDone()) {
                    return;
                }
                take(ByteBuffer.wrap(whole));
                cutIfEnough();
            }
        }

        @Override
        public void closed(int status) {
            closed.complete(status);
        }
    }

    private void cutIfEnough() {
        if (output.size() >= cutAt) {
            closed.complete(CUT);
            line.abort();
        }
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

    /** Takes nothing more from the network. */
    public void stopReading() {
        line.read(false);
    }

    public void readOn() {
        line.read(true);
    }

    public Socket send(String message) {
        line.send(message).syncUninterruptibly();
        return this;
    }

    public Socket sendBytes(byte[] frame) {
        line.send(frame).syncUninterruptibly();
        return this;
    }

    /** Whether the server still takes it or not. */
    public void trySend(String message) {
        line.send(message).awaitUninterruptibly();
    }

    /** Whether the server still takes it or not. */
    public void trySend(byte[] frame) {
        line.send(frame).awaitUninterruptibly();
    }

    /** A part of a message that never ends. */
    public void trySendPart(byte[] part) {
        line.sendPart(part, !inParts).awaitUninterruptibly();
        inParts = true;
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
            cutIfEnough();
        }
        return this;
    }

    /** As a cable that is pulled. */
    public void cut() {
        line.abort();
    }

    @Override
    public void close() {
        if (!closed.isDone()) {
            line.sayGoodbye();
        }
    }
}
