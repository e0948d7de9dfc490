package io.bivouac.benchmarks;

import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;

/** Keeps the end of a stream of events, whose last id tells how much output there was. Cheap for the rest. */
final class LastEvent {
    private static final int KEPT = 1024;
    private static final Pattern EXIT = Pattern.compile("event: exit\nid: (\\d+)-\\d+\n");

    private final byte[] tail = new byte[KEPT];
    private int size;

    void take(byte[] piece, int offset, int length) {
        int taken = Math.min(length, KEPT);
        int kept = Math.min(size, KEPT - taken);
        System.arraycopy(tail, size - kept, tail, 0, kept);
        System.arraycopy(piece, offset + length - taken, tail, kept, taken);
        size = kept + taken;
    }

    String text() {
        return new String(tail, 0, size, StandardCharsets.UTF_8);
    }

    /** How many bytes the command had written to its standard output when it ended. */
    long stdoutOffset() {
        var exit = EXIT.matcher(text());
        if (!exit.find()) {
            throw new IllegalStateException("the stream did not end with an exit: " + text());
        }
        return Long.parseLong(exit.group(1));
    }
}
