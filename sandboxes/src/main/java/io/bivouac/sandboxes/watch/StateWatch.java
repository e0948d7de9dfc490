package io.bivouac.sandboxes.watch;

import io.bivouac.sandboxes.Sandbox;
import io.bivouac.sandboxes.SandboxId;
import io.bivouac.sandboxes.store.SandboxStore;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/** Waits until a sandbox is as somebody needs it, whichever process makes it so. Thread-safe. */
@Singleton
public class StateWatch {
    private final SandboxStore store;
    private final ConcurrentHashMap<String, Set<Semaphore>> waiting = new ConcurrentHashMap<>();

    StateWatch(SandboxStore store, ChangeFeed feed) {
        this.store = store;
        feed.listen(new ChangeFeed.Listener() {
            @Override
            public void changed(String id) {
                wake(waiting.get(id));
            }

            @Override
            public void reconnected() {
                waiting.values().forEach(StateWatch::wake);
            }
        });
    }

    private static void wake(Set<Semaphore> bells) {
        if (bells != null) {
            bells.forEach(Semaphore::release);
        }
    }

    /** The sandbox as soon as it fits, or as it is when the time is up. */
    public Sandbox await(SandboxId id, Predicate<Sandbox> fits, Duration atMost) {
        long deadline = System.nanoTime() + atMost.toNanos();
        var bell = new Semaphore(0);
        enter(id.value(), bell);
        try {
            while (true) {
                var sandbox = store.find(id).orElseThrow(() -> SandboxId.noSuchSandbox(id.value()));
                long left = deadline - System.nanoTime();
                if (fits.test(sandbox) || left <= 0 || !bell.tryAcquire(left, TimeUnit.NANOSECONDS)) {
                    return sandbox;
                }
                bell.drainPermits();
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("stopped while waiting for " + id, stopped);
        } finally {
            leave(id.value(), bell);
        }
    }

    private void enter(String id, Semaphore bell) {
        waiting.compute(id, (_, bells) -> {
            var set = bells == null ? ConcurrentHashMap.<Semaphore>newKeySet() : bells;
            set.add(bell);
            return set;
        });
    }

    private void leave(String id, Semaphore bell) {
        waiting.computeIfPresent(id, (_, bells) -> {
            bells.remove(bell);
            return bells.isEmpty() ? null : bells;
        });
    }
}
