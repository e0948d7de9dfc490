package io.bivouac.sandboxes.lifecycle;

import io.bivouac.foundation.changefeed.ChangeFeed;
import io.bivouac.sandboxes.store.SandboxStore;
import io.bivouac.sandboxmodel.Sandbox;
import io.bivouac.sandboxmodel.SandboxId;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * Waits until a sandbox is as somebody needs it, whichever process makes it so. A change made in this process is
 * handed over as it is; of any other the change feed tells, and the store is asked. Thread-safe.
 */
@Singleton
public class StateWatch {
    private final SandboxStore store;
    private final ConcurrentHashMap<String, Set<Wait>> waiting = new ConcurrentHashMap<>();

    StateWatch(SandboxStore store, ChangeFeed feed) {
        this.store = store;
        store.onChange(sandbox -> tell(waiting.get(sandbox.id().value()), wait -> wait.hear(sandbox)));
        feed.listen(new ChangeFeed.Listener() {
            @Override
            public void changed(String id) {
                tell(waiting.get(id), Wait::lookAgain);
            }

            @Override
            public void reconnected() {
                waiting.values().forEach(waits -> tell(waits, Wait::lookAgain));
            }
        });
    }

    private static void tell(Set<Wait> waits, Consumer<Wait> news) {
        if (waits != null) {
            waits.forEach(news);
        }
    }

    /** Begins to listen, so that nothing that happens from now on is missed. */
    public Wait listenTo(SandboxId id) {
        var wait = new Wait(id);
        waiting.compute(id.value(), (_, waits) -> {
            var set = waits == null ? ConcurrentHashMap.<Wait>newKeySet() : waits;
            set.add(wait);
            return set;
        });
        return wait;
    }

    /** The sandbox as soon as it fits, or as it is when the time is up. */
    public Sandbox await(SandboxId id, Predicate<Sandbox> fits, Duration atMost) {
        try (var wait = listenTo(id)) {
            return wait.until(fits, atMost);
        }
    }

    /** One who listens. To be used by one thread. */
    public final class Wait implements AutoCloseable {
        private final SandboxId id;
        private final Semaphore bell = new Semaphore(0);
        private final AtomicReference<Sandbox> heard = new AtomicReference<>();
        private final AtomicBoolean look = new AtomicBoolean(true);

        private Wait(SandboxId id) {
            this.id = id;
        }

        private void hear(Sandbox sandbox) {
            heard.set(sandbox);
            bell.release();
        }

        private void lookAgain() {
            look.set(true);
            bell.release();
        }

        /** The sandbox as soon as it fits, or as it is when the time is up. */
        public Sandbox until(Predicate<Sandbox> fits, Duration atMost) {
            long deadline = System.nanoTime() + atMost.toNanos();
            try {
                while (true) {
                    var news = heard.getAndSet(null);
                    if (news != null && fits.test(news)) {
                        return news;
                    }
                    if (look.getAndSet(false)) {
                        var found = found();
                        if (fits.test(found)) {
                            return found;
                        }
                    }
                    if (!bell.tryAcquire(deadline - System.nanoTime(), TimeUnit.NANOSECONDS)) {
                        return found();
                    }
                    bell.drainPermits();
                }
            } catch (InterruptedException stopped) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException("stopped while waiting for " + id, stopped);
            }
        }

        private Sandbox found() {
            return store.find(id).orElseThrow(() -> SandboxId.noSuchSandbox(id.value()));
        }

        @Override
        public void close() {
            waiting.computeIfPresent(id.value(), (_, waits) -> {
                waits.remove(this);
                return waits.isEmpty() ? null : waits;
            });
        }
    }
}
