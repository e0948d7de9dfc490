package io.bivouac.runtimes.docker;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** The beginning of a stream; what comes after the bound is read and forgotten. */
final class BoundedOutput {
    private final int bound;
    private final ByteArrayOutputStream kept = new ByteArrayOutputStream();

    BoundedOutput(int bound) {
        this.bound = bound;
    }

    synchronized void add(byte[] bytes) {
        kept.write(bytes, 0, Math.min(bytes.length, bound - kept.size()));
    }

    /** As UTF-8; a character that the bound has cut is left out. */
    synchronized String text() {
        var bytes = kept.toByteArray();
        return new String(
                bytes.length < bound ? bytes : Arrays.copyOf(bytes, wholeCharacters(bytes)), StandardCharsets.UTF_8);
    }

    private static int wholeCharacters(byte[] bytes) {
        int lead = bytes.length - 1;
        while (lead > 0 && bytes.length - lead < 4 && (bytes[lead] & 0xC0) == 0x80) {
            lead--;
        }
        int first = bytes[lead] & 0xFF;
        int length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : first >= 0xC0 ? 2 : 1;
        return lead + length > bytes.length ? lead : bytes.length;
    }
}
