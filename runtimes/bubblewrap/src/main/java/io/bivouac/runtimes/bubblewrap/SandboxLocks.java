package io.bivouac.runtimes.bubblewrap;

import io.bivouac.sandboxes.SandboxId;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** One at a time for each sandbox; a few sandboxes share a lock, so that their number is bounded. */
final class SandboxLocks {
    private static final int STRIPES = 256;

    private final ReentrantLock[] stripes =
            Stream.generate(ReentrantLock::new).limit(STRIPES).toArray(ReentrantLock[]::new);

    <T> T holding(SandboxId id, Supplier<T> action) {
        var lock = stripes[Math.floorMod(id.hashCode(), STRIPES)];
        lock.lock();
        try {
            return action.get();
        } finally {
            lock.unlock();
        }
    }
}
