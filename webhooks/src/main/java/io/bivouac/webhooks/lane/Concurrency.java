package io.bivouac.webhooks.lane;

/**
 * How many deliveries may be under way at once: one more with each success up to the endpoint's own bound, half as
 * many with each failure. So a receiver that hangs holds a few connections and not all. Changed on the lane's loop.
 */
final class Concurrency {
    private static final int AT_FIRST = 4;

    private int most;
    private volatile int limit;

    Concurrency(int most) {
        this.most = most;
        this.limit = Math.min(AT_FIRST, most);
    }

    void bound(int newMost) {
        most = newMost;
        limit = Math.min(limit, newMost);
    }

    int limit() {
        return limit;
    }

    void succeeded() {
        limit = Math.min(most, limit + 1);
    }

    void failed() {
        limit = Math.max(1, limit / 2);
    }
}
