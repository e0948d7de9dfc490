package io.bivouac.foundation.outbox;

import io.bivouac.foundation.changefeed.ChangeFeed;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/** A project's events in the order of their publication, for readers at their own pace. Thread-safe. */
@Singleton
public class PublishedEvents {
    private final EventRows rows;
    private final ConcurrentHashMap<String, Set<Bell>> bells = new ConcurrentHashMap<>();

    PublishedEvents(EventRows rows, ChangeFeed feed) {
        this.rows = rows;
        feed.listen(new ChangeFeed.Listener() {
            @Override
            public void changed(String id) {}

            @Override
            public void published(String project) {
                ring(bells.getOrDefault(project, Set.of()));
            }

            @Override
            public void reconnected() {
                bells.values().forEach(PublishedEvents::ring);
            }
        });
    }

    private static void ring(Set<Bell> set) {
        set.forEach(Bell::ring);
    }

    /** At most so many, and none after the first that goes beyond so many bytes. */
    public List<PublishedEvent> after(String project, long number, int limit, long bytes) {
        return rows.publishedAfter(project, number, limit, bytes);
    }

    /** The number of the latest event of all projects; 0 before the first. */
    public long newest() {
        return rows.newestNumber().orElse(0L);
    }

    /** Whether whatever was published after this number can still be read. */
    public boolean reachesBackTo(long number) {
        return number <= rows.lastNumberGiven()
                && rows.oldestNumber().map(oldest -> number >= oldest - 1).orElse(true);
    }

    /** Rings whenever events of the project were published, in this process or another. */
    public Bell bell(String project) {
        var bell = new Bell(project);
        bells.compute(project, (_, present) -> {
            var set = present == null ? ConcurrentHashMap.<Bell>newKeySet() : present;
            set.add(bell);
            return set;
        });
        return bell;
    }

    /** One reader's wait for news. */
    public final class Bell implements AutoCloseable {
        private final String project;
        private final Semaphore rung = new Semaphore(0);

        private Bell(String project) {
            this.project = project;
        }

        /** Also for who wants to end a wait. */
        public void ring() {
            rung.release();
        }

        /** Whether it rang since the last call, or does within this time. */
        public boolean await(Duration atMost) throws InterruptedException {
            boolean rang = rung.tryAcquire(atMost.toNanos(), TimeUnit.NANOSECONDS);
            rung.drainPermits();
            return rang;
        }

        @Override
        public void close() {
            bells.computeIfPresent(project, (_, set) -> {
                set.remove(this);
                return set.isEmpty() ? null : set;
            });
        }
    }
}
