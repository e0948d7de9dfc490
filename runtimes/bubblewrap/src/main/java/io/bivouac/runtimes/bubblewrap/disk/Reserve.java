package io.bivouac.runtimes.bubblewrap.disk;

import io.bivouac.sandboxmodel.ByteSize;
import java.util.regex.Pattern;

/**
 * How much of a file system sandboxes leave free: a part of it, at most so many bytes.
 *
 * @param percent of the whole file system
 * @param mostBytes the reserve's upper bound
 */
public record Reserve(double percent, long mostBytes) {
    static final Reserve NONE = new Reserve(0, 0);
    static final Reserve USUAL = new Reserve(5, 10L << 30);

    private static final Pattern PERCENT = Pattern.compile("(\\d{1,2}(?:\\.\\d+)?)\\s*%");

    public Reserve {
        if (!(percent >= 0 && percent <= 100) || mostBytes < 0) {
            throw new IllegalArgumentException("a reserve must be between 0 and 100 per cent");
        }
    }

    /** {@code auto}, {@code 5%} or {@code 10g}; {@code 0} for none. */
    public static Reserve parse(String text) {
        var stripped = text.strip();
        if (stripped.equalsIgnoreCase("auto")) {
            return USUAL;
        }
        var percent = PERCENT.matcher(stripped);
        if (percent.matches()) {
            return new Reserve(Double.parseDouble(percent.group(1)), Long.MAX_VALUE);
        }
        try {
            return new Reserve(100, ByteSize.parse(stripped));
        } catch (IllegalArgumentException unreadable) {
            throw new IllegalArgumentException(
                    "BIVOUAC_BUBBLEWRAP_DISK_RESERVE must be auto, a part such as 5%, or a size such as 10g, but is \""
                            + text + "\".");
        }
    }

    /** In bytes, of a file system of this size. */
    public long of(long totalBytes) {
        return Math.min(mostBytes, (long) (totalBytes * (percent / 100)));
    }
}
