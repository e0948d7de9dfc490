package io.bivouac.runtimes.bubblewrap;

import io.bivouac.runtimes.bubblewrap.linux.Medium;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings files to the medium a moment after they were written, many at a time. To wait for it would cost each create
 * more than all the rest; not to ask for it would leave a power cut half a minute in which a sandbox is forgotten and
 * its files with it. Thread-safe.
 */
final class SoonOnMedium implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(SoonOnMedium.class);
    private static final Duration MOMENT = Duration.ofMillis(200);

    /** Beyond that the kernel's own half minute has to do. */
    private static final int MOST = 4096;

    private final Set<Path> pending = ConcurrentHashMap.newKeySet();
    private final AtomicBoolean scheduled = new AtomicBoolean();
    private final ScheduledThreadPoolExecutor worker = new ScheduledThreadPoolExecutor(
            1, Thread.ofPlatform().name("soon-on-medium").daemon().factory());

    void add(Path file) {
        if (pending.size() < MOST && pending.add(file) && scheduled.compareAndSet(false, true)) {
            worker.schedule(this::force, MOMENT.toMillis(), TimeUnit.MILLISECONDS);
        }
    }

    private void force() {
        scheduled.set(false);
        var files = List.copyOf(pending);
        files.forEach(pending::remove);
        // A file's name is in its folder, and that folder's name in the one above.
        var all = new LinkedHashSet<>(files);
        files.forEach(file -> all.add(file.getParent()));
        files.forEach(file -> all.add(file.getParent().getParent()));
        for (var path : all) {
            try {
                Medium.force(path);
            } catch (NoSuchFileException removedSince) {
                // Its sandbox is gone already.
            } catch (IOException e) {
                LOG.warn("{} may not survive a power cut: {}", path, e.getMessage());
            }
        }
    }

    int pending() {
        return pending.size();
    }

    /** What is pending is brought there first. */
    @Override
    public void close() {
        worker.shutdown();
        force();
    }
}
