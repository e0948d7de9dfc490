package io.bivouac.foundation.audit;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How many rows a minute may still be written for acts that anybody can bring about, and how many were not. Thread-safe.
 */
public final class RowBudget {
    private static final Logger LOG = LoggerFactory.getLogger(RowBudget.class);
    private static final Duration WINDOW = Duration.ofMinutes(1);
    private static final long NO_PLACE = -1;

    private final int most;
    private final Clock clock;
    private Instant since = Instant.EPOCH;
    private int written;
    private long unwritten;

    public RowBudget(int most, Clock clock) {
        this.most = most;
        this.clock = clock;
    }

    /** How many were not written since the last row, or less than 0 when there is no place for this one either. */
    public synchronized long take() {
        if (!hasPlace()) {
            return miss();
        }
        written++;
        long missed = unwritten;
        unwritten = 0;
        return missed;
    }

    synchronized boolean hasPlace() {
        var now = clock.instant();
        if (Duration.between(since, now).compareTo(WINDOW) > 0) {
            since = now;
            written = 0;
        }
        return written < most;
    }

    /** Counts one that gets no row. */
    synchronized long miss() {
        unwritten++;
        return NO_PLACE;
    }

    /** No row will tell what was missed, so the log does. */
    synchronized void forgotten(String who) {
        if (unwritten > 0) {
            LOG.warn("{} refusals of {} have no row in the audit", unwritten, who);
        }
    }

    /** What a row says of those before it that are not there. */
    public static String mention(long missed) {
        return missed == 0 ? "" : " (" + missed + " refusals before this one have no row)";
    }
}
