package io.bivouac.sandboxmodel;

import java.util.Locale;
import java.util.regex.Pattern;

/** Sizes as people write them: {@code 512m}, {@code 1g}, {@code 1Gi}, {@code 1048576}; powers of 1024. */
public final class ByteSize {
    private static final Pattern SYNTAX = Pattern.compile("(\\d{1,12})\\s*(?:([kmgt])i?)?b?", Pattern.CASE_INSENSITIVE);
    private static final String UNITS = "kmgt";

    private ByteSize() {}

    public static long parse(String text) {
        var match = SYNTAX.matcher(text.strip());
        if (!match.matches()) {
            throw new IllegalArgumentException("not a size: '" + text + "' (write 512m or 1g)");
        }
        long number = Long.parseLong(match.group(1));
        var unit = match.group(2);
        int shift = unit == null ? 0 : 10 * (UNITS.indexOf(unit.toLowerCase(Locale.ROOT)) + 1);
        if (number > Long.MAX_VALUE >> shift) {
            throw new IllegalArgumentException("too large: '" + text + "'");
        }
        return number << shift;
    }

    /** The shortest exact way to write it. */
    public static String format(long bytes) {
        for (int i = UNITS.length() - 1; i >= 0; i--) {
            long unit = 1L << (10 * (i + 1));
            if (bytes >= unit && bytes % unit == 0) {
                return bytes / unit + UNITS.substring(i, i + 1);
            }
        }
        return Long.toString(bytes);
    }
}
