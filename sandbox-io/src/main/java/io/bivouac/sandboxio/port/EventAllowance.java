package io.bivouac.sandboxio.port;

import java.time.Duration;

/** How many events of one sandbox's ports may be told: so many in each window. Confined to one thread. */
final class EventAllowance {
    static final int MOST_IN_WINDOW = 40;
    static final Duration WINDOW = Duration.ofSeconds(10);

    private long windowBegan;
    private int taken;

    EventAllowance(long now) {
        this.windowBegan = now;
    }

    boolean take(long now) {
        if (now - windowBegan >= WINDOW.toNanos()) {
            windowBegan = now;
            taken = 0;
        }
        return taken++ < MOST_IN_WINDOW;
    }
}
