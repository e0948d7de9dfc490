package io.bivouac.sandboxmodel;

import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** One at a time for each key, in order of arrival; some keys share a lock, so that their number is bounded. */
public final class StripedLocks {
    private final ReentrantLock[] stripes;

    public StripedLocks(int stripes) {
        this.stripes =
                Stream.generate(() -> new ReentrantLock(true)).limit(stripes).toArray(ReentrantLock[]::new);
    }

    public <T> T holding(Object key, Supplier<T> action) {
        var lock = stripes[Math.floorMod(key.hashCode(), stripes.length)];
        lock.lock();
        try {
            return action.get();
        } finally {
            lock.unlock();
        }
    }

    public void holding(Object key, Runnable action) {
        holding(key, () -> {
            action.run();
            return null;
        });
    }
}
