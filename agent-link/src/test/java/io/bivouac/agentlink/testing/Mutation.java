package io.bivouac.agentlink.testing;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;

/** What can become of a frame on its way from somebody who means harm. */
public final class Mutation {
    static final String LETTERS = "aZ \\u0003\\u0004\\u001b[c\\r";

    private static final int MOST_AT_ONCE = 4;
    private static final int DEEPEST = 20_000;
    private static final int MOST_DIGITS = 3_000;
    private static final List<byte[]> NO_UTF8 = List.of(
            bytes(0xff), bytes(0xc0, 0x80), bytes(0xed, 0xa0, 0x80), bytes(0xf4, 0x90, 0x80, 0x80), bytes(0xe2));
    private static final List<String> WORDS = List.of(
            "null",
            "true",
            "{}",
            "[]",
            "\"\"",
            "\"\\u0000\"",
            "\"\\udfff\"",
            "1e400",
            "-0.5",
            "1e-400",
            "NaN",
            "}",
            "{",
            "\"type\":\"resize\",");

    private final RandomGenerator random;

    public Mutation(RandomGenerator random) {
        this.random = random;
    }

    public byte[] of(byte[] frame) {
        var changed = frame;
        for (int i = random.nextInt(MOST_AT_ONCE); i >= 0; i--) {
            changed = once(changed);
        }
        return changed;
    }

    private byte[] once(byte[] frame) {
        int at = random.nextInt(frame.length + 1);
        return switch (random.nextInt(9)) {
            case 0 -> Arrays.copyOf(frame, at);
            case 1 -> Arrays.copyOfRange(frame, at, frame.length);
            case 2 -> inserted(frame, at, NO_UTF8.get(random.nextInt(NO_UTF8.size())));
            case 3 -> inserted(frame, at, text(WORDS.get(random.nextInt(WORDS.size()))));
            case 4 ->
                inserted(frame, at, text((random.nextBoolean() ? "[" : "{\"a\":").repeat(random.nextInt(DEEPEST))));
            case 5 -> inserted(frame, at, text("9".repeat(random.nextInt(MOST_DIGITS))));
            case 6 -> inserted(frame, at, Arrays.copyOf(frame, at));
            case 7 -> replaced(frame, at, (byte) random.nextInt());
            default -> replaced(frame, at, at < frame.length ? (byte) (frame[at] ^ 1 << random.nextInt(8)) : 0);
        };
    }

    private static byte[] inserted(byte[] frame, int at, byte[] more) {
        var all = new ByteArrayOutputStream();
        all.write(frame, 0, at);
        all.writeBytes(more);
        all.write(frame, at, frame.length - at);
        return all.toByteArray();
    }

    private static byte[] replaced(byte[] frame, int at, byte by) {
        var copy = frame.clone();
        if (at < copy.length) {
            copy[at] = by;
        }
        return copy;
    }

    private static byte[] text(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static byte[] bytes(int... values) {
        var bytes = new byte[values.length];
        for (int i = 0; i < values.length; i++) {
            bytes[i] = (byte) values[i];
        }
        return bytes;
    }
}
