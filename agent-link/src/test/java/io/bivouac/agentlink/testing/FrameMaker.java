package io.bivouac.agentlink.testing;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.random.RandomGenerator;

/** Messages of terminals' clients: mostly those that a door knows, and whatever becomes of them by {@link Mutation}. */
public final class FrameMaker {
    private static final List<String> SIGNALS =
            List.of("SIGINT", "SIGTERM", "SIGKILL", "SIGSTOP", "SIGCONT", "SIGWINCH", "SIGNONE", "2", "");
    private static final List<String> NUMBERS = List.of(
            "0", "1", "-1", "80", "24", "1000", "1001", "2147483648", "9007199254740993", "9223372036854775807");
    private static final List<Long> LONGS =
            List.of(0L, 1L, 2L, -1L, 1000L, Long.MAX_VALUE, Long.MIN_VALUE, Long.MAX_VALUE - 1, 1L << 53, 1L << 31);
    private static final int HEADER = 9;
    private static final int INPUT = 65;
    private static final int RESIZE = 66;
    private static final int SIGNAL = 67;
    private static final int CREDIT = 68;
    private static final int CONTROL = 69;
    private static final int SEALED = 70;
    private static final int LARGEST_INPUT = 100_000;

    private final RandomGenerator random;
    private final Mutation mutation;
    private long sequence;

    public FrameMaker(RandomGenerator random) {
        this.random = random;
        this.mutation = new Mutation(random);
    }

    /** What a text frame carries, at any of the doors that speak JSON. */
    public byte[] json() {
        return sometimesMutated(message().getBytes(StandardCharsets.UTF_8));
    }

    /** A frame of the binary protocol. */
    public byte[] binary() {
        var frame = switch (random.nextInt(8)) {
            case 0, 1 -> frame(INPUT, ++sequence, input());
            case 2 -> frame(INPUT, anyLong(), input());
            case 3 -> frame(RESIZE, 0, text("{" + size() + "}"));
            case 4 -> random.nextBoolean() ? frame(SIGNAL, anyLong()) : frame(SIGNAL, 0, text(any(SIGNALS)));
            case 5 -> frame(CREDIT, random.nextBoolean() ? random.nextInt(1, 200_000) : anyLong());
            case 6 -> frame(CONTROL, 0, text(message()));
            default -> frame(SEALED, anyLong(), input());
        };
        return sometimesMutated(frame);
    }

    private byte[] sometimesMutated(byte[] frame) {
        return random.nextInt(3) == 0 ? mutation.of(frame) : frame;
    }

    private String message() {
        return switch (random.nextInt(10)) {
            case 0, 1 -> "{\"type\":\"input\",\"data\":\"" + Mutation.LETTERS.repeat(random.nextInt(50)) + "\"}";
            case 2, 3 -> "{\"type\":\"input\",\"data\":\"" + Base64.getEncoder().encodeToString(input()) + "\"}";
            case 4 -> "{\"type\":\"resize\"," + size() + "}";
            case 5 -> "{\"type\":\"signal\",\"signal\":\"" + any(SIGNALS) + "\"}";
            case 6 -> "{\"type\":\"resume\",\"from\":" + any(NUMBERS) + "}";
            case 7 -> "{\"type\":\"" + any(List.of("ping", "end", "attached", "\\u0000", "\\ud800", "exit")) + "\"}";
            case 8 ->
                "{\"type\":\"permission_response\",\"requestId\":\"prm_\\u0000" + random.nextInt()
                        + "\",\"granted\":true,\"expiresAt\":\"+999999999-12-31T23:59:59Z\"}";
            default ->
                "{\"type\":\"x\",\"encrypted\":true,\"nonce\":\""
                        + Base64.getEncoder().encodeToString(longBytes(anyLong()))
                        + "\",\"payload\":\"" + Base64.getEncoder().encodeToString(input()) + "\"}";
        };
    }

    private String size() {
        return "\"cols\":" + any(NUMBERS) + ",\"rows\":" + any(NUMBERS);
    }

    private byte[] input() {
        var bytes = new byte[random.nextInt(20) == 0 ? random.nextInt(LARGEST_INPUT) : random.nextInt(200)];
        random.nextBytes(bytes);
        return bytes;
    }

    private long anyLong() {
        return random.nextInt(4) == 0 ? random.nextLong() : any(LONGS);
    }

    private <T> T any(List<T> all) {
        return all.get(random.nextInt(all.size()));
    }

    private static byte[] text(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static byte[] longBytes(long number) {
        return ByteBuffer.allocate(Long.BYTES).putLong(number).array();
    }

    private static byte[] frame(int type, long number, byte... payload) {
        return ByteBuffer.allocate(HEADER + payload.length)
                .put((byte) type)
                .putLong(number)
                .put(payload)
                .array();
    }
}
