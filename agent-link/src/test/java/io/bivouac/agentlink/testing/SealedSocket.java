package io.bivouac.agentlink.testing;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.KeyPair;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;

/** Somebody at a sealed terminal, through the binary protocol or through a door's JSON. */
public final class SealedSocket implements AutoCloseable {
    private static final int SEALED = 6;
    private static final int CLIENT_SEALED = 70;

    private final Socket socket;
    private final boolean binary;
    private final NoiseClient noise;
    private final List<Socket.Frame> frames = new ArrayList<>();
    private final ByteArrayOutputStream output = new ByteArrayOutputStream();
    private int taken;
    private final String told;

    public SealedSocket(Socket socket, boolean binary, KeyPair keys, String hostKey, String terminal) {
        this.socket = socket;
        this.binary = binary;
        this.noise = new NoiseClient(keys, Base64.getDecoder().decode(hostKey), terminal);
        send(0, noise.first());
        Wait.until(() -> !sealed().isEmpty(), () -> "no answer: " + socket.frames() + socket.messages());
        told = noise.second(sealed().getFirst());
        taken = 1;
    }

    /** What the host said of our key. */
    public String told() {
        return told;
    }

    public SealedSocket begin(String fields) {
        return say(69, 0, "{\"type\":\"begin\"" + fields + "}");
    }

    public SealedSocket type(long sequence, String keys) {
        return say(65, sequence, keys);
    }

    public SealedSocket say(int type, long number, String payload) {
        long count = noise.nextNumber();
        send(count, noise.seal(type, number, payload));
        return this;
    }

    private void send(long number, byte[] data) {
        if (binary) {
            socket.sendBytes(ByteBuffer.allocate(9 + data.length)
                    .put((byte) CLIENT_SEALED)
                    .putLong(number)
                    .put(data)
                    .array());
        } else {
            var nonce = ByteBuffer.allocate(Long.BYTES).putLong(number).array();
            var base64 = Base64.getEncoder();
            socket.send("{\"type\":\"input\",\"encrypted\":true,\"nonce\":\"" + base64.encodeToString(nonce)
                    + "\",\"payload\":\"" + base64.encodeToString(data) + "\"}");
        }
    }

    /** The sealed messages so far, unread. */
    public List<byte[]> sealed() {
        if (binary) {
            return socket.frames().stream()
                    .filter(frame -> frame.type() == SEALED)
                    .map(Socket.Frame::payload)
                    .toList();
        }
        return socket.messages().stream()
                .filter(message -> message.get("type").getStringValue().equals("sealed"))
                .map(message ->
                        Base64.getDecoder().decode(message.get("payload").getStringValue()))
                .toList();
    }

    private void readOn() {
        var all = sealed();
        for (; taken < all.size(); taken++) {
            var frame = noise.open(all.get(taken));
            if (frame.type() == 1) {
                output.writeBytes(frame.payload());
            } else {
                frames.add(frame);
            }
        }
    }

    public String output() {
        readOn();
        return output.toString(StandardCharsets.UTF_8);
    }

    public SealedSocket awaitOutput(String words) {
        Wait.until(() -> output().contains(words), () -> "output so far: " + output() + frames);
        return this;
    }

    public Socket.Frame awaitFrame(int type) {
        Wait.until(() -> {
            readOn();
            return frames.stream().anyMatch(frame -> frame.type() == type);
        });
        return frames.stream().filter(frame -> frame.type() == type).findFirst().orElseThrow();
    }

    public Socket socket() {
        return socket;
    }

    @Override
    public void close() {
        socket.close();
    }
}
