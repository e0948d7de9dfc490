package io.bivouac.runtimes.bubblewrap.disk;

import io.bivouac.sandboxmodel.runtime.RuntimeFailure;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Disks made ahead of time, so that a sandbox waits for none. Whenever one was wanted and none was ready, one more is
 * kept from then on, so that a second burst of creates is met by what the first one has lacked; in quiet times they
 * become fewer again.
 */
final class DiskPool implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(DiskPool.class);
    private static final Duration RETRY = Duration.ofSeconds(5);
    private static final Duration QUIET = Duration.ofMinutes(5);

    /** How many times its size the pool may become. */
    private static final int MOST_TIMES = 8;

    /** Each waits for the medium, so that several together take hardly longer than one. */
    private static final int UNMOUNT_AT_ONCE = 8;

    private final DiskStore store;
    private final int size;
    private final long limitBytes;
    private final Duration pause;
    private final ConcurrentLinkedQueue<Disk> ready = new ConcurrentLinkedQueue<>();
    private final ConcurrentLinkedQueue<Disk> adopted = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean refilling = new AtomicBoolean();
    private final AtomicInteger wanted;
    private final ScheduledThreadPoolExecutor worker;
    private BooleanSupplier paused = () -> false;

    /** @param pause between two disks, so that making them takes no machine by storm */
    DiskPool(DiskStore store, int size, long limitBytes, Duration pause) {
        this.store = store;
        this.size = size;
        this.wanted = new AtomicInteger(size);
        this.limitBytes = limitBytes;
        this.pause = pause;
        this.worker = new ScheduledThreadPoolExecutor(
                1, Thread.ofPlatform().name("disk-pool").daemon().factory());
        worker.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
        worker.setContinueExistingPeriodicTasksAfterShutdownPolicy(false);
        worker.scheduleWithFixedDelay(this::becomeFewer, QUIET.toMillis(), QUIET.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** Makes no disk ahead of time as long as the answer is yes; call before the pool is used. */
    void pauseWhile(BooleanSupplier question) {
        paused = question;
    }

    /** A disk that nobody has used; of another size than the pool's it is made now. */
    Disk take(long bytes) {
        var disk = bytes == limitBytes ? ready.poll() : null;
        if (disk == null && bytes == limitBytes) {
            disk = takeUp().orElse(null);
        }
        if (disk == null && bytes == limitBytes) {
            wanted.updateAndGet(before -> Math.min(before + 1, size * MOST_TIMES));
        }
        refill();
        if (disk == null) {
            disk = store.make(bytes);
        }
        try {
            Files.deleteIfExists(disk.freshMark());
        } catch (IOException e) {
            store.discard(disk);
            throw new RuntimeFailure("cannot take a disk: " + e.getMessage(), e);
        }
        return disk;
    }

    /** One of those that were adopted, mounted again. */
    private Optional<Disk> takeUp() {
        for (var disk = adopted.poll(); disk != null; disk = adopted.poll()) {
            try {
                store.backing().attach(disk);
                return Optional.of(disk);
            } catch (IOException | RuntimeException broken) {
                LOG.warn("Removing the unused disk {}, which cannot be opened: {}", disk.id(), broken.getMessage());
                store.discard(disk);
            }
        }
        return Optional.empty();
    }

    int ready() {
        return ready.size();
    }

    /** How many are to be ready. */
    int wanted() {
        return wanted.get();
    }

    /** One that a run of the server before this one has made; it is mounted in the background. */
    boolean adopt(Disk disk) {
        return ready.contains(disk)
                || adopted.contains(disk)
                || (disk.limitBytes() == limitBytes && ready.size() + adopted.size() < size && adopted.add(disk));
    }

    void refill() {
        if (ready.size() < wanted.get() && !worker.isShutdown() && refilling.compareAndSet(false, true)) {
            worker.schedule(this::makeOne, pause.toMillis(), TimeUnit.MILLISECONDS);
        }
    }

    private void makeOne() {
        var wait = pause;
        try {
            if (paused.getAsBoolean()) {
                wait = RETRY;
            } else if (ready.size() < wanted.get()) {
                ready.add(takeUp().orElseGet(() -> store.make(limitBytes)));
            }
        } catch (RuntimeException e) {
            LOG.warn("The pool of disks could not be filled: {}", e.getMessage());
            wait = RETRY;
        }
        if (ready.size() < wanted.get() && !worker.isShutdown()) {
            worker.schedule(this::makeOne, wait.toMillis(), TimeUnit.MILLISECONDS);
        } else {
            refilling.set(false);
        }
    }

    /** Half of what was wanted beyond the usual, at each turn. */
    void becomeFewer() {
        int now = wanted.updateAndGet(before -> size + (before - size) / 2);
        while (ready.size() > now) {
            var surplus = ready.poll();
            if (surplus == null) {
                return;
            }
            store.discard(surplus);
        }
    }

    /** Disks stay for the next run, but not mounted: a stopped server holds nothing of the machine. */
    @Override
    public void close() {
        worker.shutdown();
        try {
            // Not interrupted: a disk that is half made would be thrown away.
            worker.awaitTermination(10, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        try (var unmounting = Executors.newFixedThreadPool(UNMOUNT_AT_ONCE)) {
            for (var unused : List.of(ready, adopted)) {
                for (var disk = unused.poll(); disk != null; disk = unused.poll()) {
                    var next = disk;
                    unmounting.execute(() -> putDown(next));
                }
            }
        }
    }

    private void putDown(Disk disk) {
        try {
            store.backing().detach(disk);
        } catch (IOException | RuntimeException e) {
            LOG.warn("The unused disk {} stays mounted: {}", disk.id(), e.getMessage());
        }
    }
}
