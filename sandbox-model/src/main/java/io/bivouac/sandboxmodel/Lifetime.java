package io.bivouac.sandboxmodel;

import io.micronaut.core.annotation.Nullable;
import java.time.Duration;
import java.time.Instant;

/**
 * How long a sandbox lives.
 *
 * @param announced whether {@code sandbox.expiring} has been said for this {@code expiresAt}
 * @param keptUntil the latest end that use of the sandbox gives it; null when use does not move its end
 * @param onExpiry what its end is to be
 * @param filesUntil until when its workspace is kept after its end; null when it is not
 */
public record Lifetime(
        Instant createdAt,
        Instant expiresAt,
        Duration timeout,
        boolean announced,
        @Nullable Instant keptUntil,
        OnExpiry onExpiry,
        @Nullable Instant filesUntil) {
    /** How long before the end {@code sandbox.expiring} is said; at half-life for what lives shorter. */
    public static final Duration NOTICE = Duration.ofMinutes(5);

    public static Lifetime startingAt(Instant now, Duration timeout) {
        return new Lifetime(now, now.plus(timeout), timeout, false, null, OnExpiry.KEEP, null);
    }

    /** The same, whose end moves ahead with use, for so long at most from its making. */
    public Lifetime keptAlive(Duration longest) {
        return new Lifetime(createdAt, expiresAt, timeout, announced, createdAt.plus(longest), onExpiry, filesUntil);
    }

    /** The same with another end. */
    public Lifetime endingBy(OnExpiry choice) {
        return new Lifetime(createdAt, expiresAt, timeout, announced, keptUntil, choice, filesUntil);
    }

    /** The end after a use at this time; never before the present one. */
    Instant endAfterUse(Instant then) {
        if (keptUntil == null) {
            return expiresAt;
        }
        var wanted = then.plus(timeout);
        var allowed = wanted.isAfter(keptUntil) ? keptUntil : wanted;
        return allowed.isAfter(expiresAt) ? allowed : expiresAt;
    }

    public Instant noticeAt() {
        var half = timeout.dividedBy(2);
        return expiresAt.minus(half.compareTo(NOTICE) < 0 ? half : NOTICE);
    }

    Lifetime extendedBy(Duration more) {
        return endingAt(expiresAt.plus(more));
    }

    Lifetime endingAt(Instant end) {
        return new Lifetime(createdAt, end, timeout, false, keptUntil, onExpiry, filesUntil);
    }

    /** The same after a start: one that outlives its end has its whole time again. */
    Lifetime startedAt(Instant now) {
        var end = now.plus(timeout);
        return onExpiry == OnExpiry.STOP && end.isAfter(expiresAt) ? endingAt(end) : this;
    }

    Lifetime asAnnounced() {
        return new Lifetime(createdAt, expiresAt, timeout, true, keptUntil, onExpiry, filesUntil);
    }

    /** The same with its files kept until then, or with none any more. */
    Lifetime withFilesUntil(@Nullable Instant end) {
        return new Lifetime(createdAt, expiresAt, timeout, announced, keptUntil, onExpiry, end);
    }
}
