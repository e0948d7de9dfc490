package io.bivouac.sandboxmodel;

import java.time.Duration;
import java.time.Instant;

/**
 * How long a sandbox lives.
 *
 * @param announced whether {@code sandbox.expiring} has been said for this {@code expiresAt}
 */
public record Lifetime(Instant createdAt, Instant expiresAt, Duration timeout, boolean announced) {
    /** How long before the end {@code sandbox.expiring} is said; at half-life for what lives shorter. */
    public static final Duration NOTICE = Duration.ofMinutes(5);

    public static Lifetime startingAt(Instant now, Duration timeout) {
        return new Lifetime(now, now.plus(timeout), timeout, false);
    }

    public Instant noticeAt() {
        var half = timeout.dividedBy(2);
        return expiresAt.minus(half.compareTo(NOTICE) < 0 ? half : NOTICE);
    }

    Lifetime extendedBy(Duration more) {
        return new Lifetime(createdAt, expiresAt.plus(more), timeout, false);
    }

    Lifetime asAnnounced() {
        return new Lifetime(createdAt, expiresAt, timeout, true);
    }
}
