package io.bivouac.sandboxio.file;

import io.micronaut.core.annotation.Nullable;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * One range of a file's bytes (RFC 9110 §14.1.2).
 *
 * @param first null: the last so many bytes, which {@code last} then says
 * @param last the last byte, itself included; null: to the end
 */
public record ByteRange(@Nullable Long first, @Nullable Long last) {
    private static final Pattern HEADER = Pattern.compile("bytes=(\\d{0,18})-(\\d{0,18})");

    /** Empty for what is no range or more than one: such a header counts as none. */
    static Optional<ByteRange> read(@Nullable String header) {
        var matcher = HEADER.matcher(header == null ? "" : header.strip());
        if (!matcher.matches()) {
            return Optional.empty();
        }
        var range = new ByteRange(number(matcher.group(1)), number(matcher.group(2)));
        boolean sane = range.first == null ? range.last != null : range.last == null || range.last >= range.first;
        return sane ? Optional.of(range) : Optional.empty();
    }

    private static @Nullable Long number(String digits) {
        return digits.isEmpty() ? null : Long.valueOf(digits);
    }

    /** Where it begins in a file of this size. */
    long from(long size) {
        return first == null ? Math.max(0, size - last) : first;
    }

    /** How many bytes a file of this size has of it. */
    long length(long size) {
        long rest = size - from(size);
        return first == null || last == null ? rest : Math.min(rest, last - first + 1);
    }
}
