package io.bivouac.webhooks.lane;

import io.micronaut.core.annotation.Nullable;

/** Deliveries a second, evenly refilled; a second's worth may go at once. Used on the lane's loop only. */
final class Pace {
    @Nullable private final Integer perSecond;

    private double left;
    private long filledAt;

    Pace(@Nullable Integer perSecond, long now) {
        this.perSecond = perSecond;
        this.left = perSecond == null ? 0 : perSecond;
        this.filledAt = now;
    }

    /** Takes one place and returns 0, or tells how many nanoseconds it takes until there is one. */
    long take(long now) {
        if (perSecond == null) {
            return 0;
        }
        left = Math.min(perSecond, left + (now - filledAt) / 1e9 * perSecond);
        filledAt = now;
        if (left < 1) {
            return Math.max(1, (long) ((1 - left) / perSecond * 1e9));
        }
        left--;
        return 0;
    }
}
