package io.bivouac.webhooks.lane;

import java.util.concurrent.TimeUnit;

/**
 * Whether a full lane is worth waiting for. Catching up on Kafka, even a quick receiver's lane is full all the time,
 * and parking would only be a detour; of a slow one everybody else would have to wait. Changed on the lane's loop.
 */
final class Speed {
    private static final long WINDOW = TimeUnit.MILLISECONDS.toNanos(100);
    private static final long FRESH = TimeUnit.MILLISECONDS.toNanos(250);

    /** A new lane has this long to show what it can do. */
    private static final long BENEFIT_OF_DOUBT = TimeUnit.MILLISECONDS.toNanos(500);

    private static final int QUICK_A_SECOND = 500;

    private final long bornAt;
    private long windowAt;
    private int inWindow;
    private volatile boolean quick;
    private volatile long lastAt;

    Speed(long now) {
        bornAt = now;
        windowAt = now;
        lastAt = now;
    }

    void succeeded(long now) {
        lastAt = now;
        inWindow++;
        if (now - windowAt >= WINDOW) {
            quick = inWindow * 1e9 / (now - windowAt) >= QUICK_A_SECOND;
            windowAt = now;
            inWindow = 0;
        }
    }

    boolean isQuick(long now) {
        return now - bornAt < BENEFIT_OF_DOUBT || (quick && now - lastAt < FRESH);
    }
}
