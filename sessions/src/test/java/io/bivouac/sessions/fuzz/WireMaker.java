package io.bivouac.sessions.fuzz;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.random.RandomGenerator;
import java.util.zip.Deflater;

/** Puts messages on a WebSocket's wire (RFC 6455, section 5.2): mostly as the RFC has it. */
final class WireMaker {
    private static final int LAST = 0x80;
    private static final int COMPRESSED = 0x40;
    private static final int MASKED = 0x80;
    private static final int CONTINUATION = 0;
    private static final int TEXT = 1;
    private static final int BINARY = 2;
    private static final int CLOSE = 8;
    private static final int PING = 9;
    private static final int PONG = 10;
    private static final int ONE_BREACH_IN = 60;

    private final RandomGenerator random;
    private final boolean compresses;

    /** @param compresses whether that was agreed upon */
    WireMaker(RandomGenerator random, boolean compresses) {
        this.random = random;
        this.compresses = compresses;
    }

    byte[] message(boolean text, byte[] payload) {
        if (random.nextInt(ONE_BREACH_IN) == 0) {
            return breach(payload);
        }
        int kind = text ? TEXT : BINARY;
        return switch (random.nextInt(8)) {
            case 0 -> fragments(kind, payload);
            case 1 -> frame(LAST | (random.nextBoolean() ? PING : PONG), some(payload, 125));
            case 2, 3 -> compresses ? frame(LAST | COMPRESSED | kind, deflated(payload)) : frame(LAST | kind, payload);
            default -> frame(LAST | kind, payload);
        };
    }

    byte[] goodbye() {
        return frame(
                LAST | CLOSE,
                ByteBuffer.allocate(2)
                        .putShort((short) random.nextInt(999, 5001))
                        .array());
    }

    private byte[] breach(byte[] payload) {
        return switch (random.nextInt(9)) {
            case 0 -> frame(LAST | random.nextInt(16), payload);
            case 1 -> frame(random.nextInt(256), payload);
            case 2 -> frame(LAST | CONTINUATION, payload);
            case 3 -> frame(LAST | CLOSE, some(payload, 125));
            case 4 -> frame(LAST | PING, Arrays.copyOf(payload, 126 + random.nextInt(1000)));
            case 5 -> unmasked(some(payload, 100));
            case 6 -> claimed(random.nextLong());
            case 7 -> frame(TEXT, payload);
            default -> {
                random.nextBytes(payload);
                yield payload;
            }
        };
    }

    private byte[] fragments(int kind, byte[] payload) {
        var all = new ByteArrayOutputStream();
        int at = 0;
        while (at < payload.length && random.nextInt(5) != 0) {
            int end = at + random.nextInt(payload.length - at + 1);
            all.writeBytes(
                    frame(at == 0 && all.size() == 0 ? kind : CONTINUATION, Arrays.copyOfRange(payload, at, end)));
            if (random.nextBoolean()) {
                all.writeBytes(frame(LAST | PING, new byte[random.nextInt(126)]));
            }
            at = end;
        }
        int rest = LAST | (all.size() == 0 ? kind : CONTINUATION);
        all.writeBytes(frame(rest, Arrays.copyOfRange(payload, at, payload.length)));
        return all.toByteArray();
    }

    private static byte[] deflated(byte[] payload) {
        try (var deflater = new Deflater(Deflater.DEFAULT_COMPRESSION, true)) {
            deflater.setInput(payload);
            var buffer = new byte[payload.length + 1024];
            int size = deflater.deflate(buffer, 0, buffer.length, Deflater.SYNC_FLUSH);
            // Without the empty block at its end (RFC 7692, section 7.2.1).
            return Arrays.copyOf(buffer, Math.max(0, size - 4));
        }
    }

    private byte[] some(byte[] payload, int most) {
        return Arrays.copyOf(payload, Math.min(payload.length, random.nextInt(most + 1)));
    }

    private static byte[] unmasked(byte[] payload) {
        return ByteBuffer.allocate(2 + payload.length)
                .put((byte) (LAST | BINARY))
                .put((byte) payload.length)
                .put(payload)
                .array();
    }

    private static byte[] claimed(long length) {
        return ByteBuffer.allocate(14)
                .put((byte) (LAST | BINARY))
                .put((byte) (MASKED | 127))
                .putLong(length)
                .putInt(0)
                .array();
    }

    /** With a mask of zeros, which leaves everything as it is. */
    private static byte[] frame(int head, byte[] payload) {
        var frame = ByteBuffer.allocate(14 + payload.length).put((byte) head);
        if (payload.length < 126) {
            frame.put((byte) (MASKED | payload.length));
        } else if (payload.length <= 0xffff) {
            frame.put((byte) (MASKED | 126)).putShort((short) payload.length);
        } else {
            frame.put((byte) (MASKED | 127)).putLong(payload.length);
        }
        frame.putInt(0).put(payload).flip();
        return Arrays.copyOf(frame.array(), frame.limit());
    }
}
