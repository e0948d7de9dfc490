package io.bivouac.webhooks.lane;

import java.time.Duration;

/**
 * Whether an endpoint is worth trying with something new. It opens after failures in a row; then one probe at a time,
 * with growing pauses, until something succeeds. Retries keep to their own schedule meanwhile. Changed on the lane's
 * loop, read from anywhere. Times are those of {@link System#nanoTime}.
 */
final class Breaker {
    static final int FAILURES_IN_A_ROW = 5;
    static final Duration SHORTEST_PAUSE = Duration.ofSeconds(1);
    static final Duration LONGEST_PAUSE = Duration.ofSeconds(60);

    private int failures;
    private Duration pause = SHORTEST_PAUSE;
    private volatile boolean open;
    private volatile long probeAt;

    boolean isOpen() {
        return open;
    }

    boolean isProbeDue(long now) {
        return open && now - probeAt >= 0;
    }

    void succeeded() {
        failures = 0;
        pause = SHORTEST_PAUSE;
        open = false;
    }

    void failed(long now) {
        failures++;
        if (failures >= FAILURES_IN_A_ROW) {
            openFor(pause, now);
            pause = pause.multipliedBy(2).compareTo(LONGEST_PAUSE) > 0 ? LONGEST_PAUSE : pause.multipliedBy(2);
        }
    }

    /** The receiver itself asked to be left alone. */
    void openFor(Duration time, long now) {
        long until = now + time.toNanos();
        if (!open || until - probeAt > 0) {
            probeAt = until;
        }
        open = true;
    }
}
