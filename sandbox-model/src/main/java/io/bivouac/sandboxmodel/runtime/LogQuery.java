package io.bivouac.sandboxmodel.runtime;

import io.micronaut.core.annotation.Nullable;
import java.time.Instant;

/** Which lines: the last {@code tail} ones between two times, as far as {@link #MOST_BYTES} reach. */
public record LogQuery(
        int tail, @Nullable Instant since, @Nullable Instant until) {
    public static final int DEFAULT_TAIL = 100;
    public static final int LARGEST_TAIL = 10_000;

    /** Of a sandbox's log that are read and kept at once; the older ones are left out. */
    public static final int MOST_BYTES = 2 * 1024 * 1024;

    public LogQuery {
        if (tail < 1 || tail > LARGEST_TAIL) {
            throw new IllegalArgumentException("tail must be between 1 and " + LARGEST_TAIL);
        }
    }

    public boolean covers(Instant time) {
        return (since == null || !time.isBefore(since)) && (until == null || !time.isAfter(until));
    }
}
