package io.bivouac.runtimes.bubblewrap.disk;

import io.bivouac.sandboxmodel.runtime.DiskReserve;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks after the free space of the file system that disks are on. Images are sparse, so all of them together may grow
 * far beyond it, and the host's database is often there too. When the reserve is reached, the free blocks of each mounted
 * image are taken by a file that needs no space on the host: programs inside are told that their disk is full, files
 * that are there can be read, overwritten and deleted, and nothing grows. The files go when space is free again.
 * Thread-safe.
 */
final class ReserveWatch implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ReserveWatch.class);

    /** Between two looks while there is plenty, and when there is not. */
    private static final Duration SELDOM = Duration.ofSeconds(1);

    private static final Duration OFTEN = Duration.ofMillis(50);

    /** No medium takes more than this in the time between two looks while there is plenty. */
    private static final long PLENTY = 4L << 30;

    /** So much more than the reserve must be free again, as a part of it: so it does not change all the time. */
    private static final int SLACK = 10;

    /** When so much more is gone, as a part of the reserve, something still grows. */
    private static final int GROWN = 100;

    private final Path folder;
    private final Reserve reserve;
    private final DiskStore store;
    private final Thread thread;
    private volatile DiskReserve state = DiskReserve.NONE;
    private volatile boolean closed;
    private long filledAt;

    ReserveWatch(Path folder, Reserve reserve, DiskStore store) {
        this.folder = folder;
        this.reserve = reserve;
        this.store = store;
        this.thread = Thread.ofPlatform().name("disk-reserve").daemon().unstarted(this::run);
    }

    /** Call when the disks of the run before are known. What that run has filled is emptied first. May be repeated. */
    synchronized void start() {
        if (reserve.mostBytes() > 0 && thread.getState() == Thread.State.NEW) {
            thread.start();
        }
    }

    /** As it is right now. */
    DiskReserve state() {
        return reserve.mostBytes() > 0 && !closed ? look() : state;
    }

    /** A disk that has just been mounted is full as long as the others are, and else has its space. */
    void settle(Disk disk) throws IOException {
        if (state.reached()) {
            store.backing().fill(disk);
        } else {
            store.backing().empty(disk);
        }
    }

    private void run() {
        boolean first = true;
        boolean filled = false;
        while (!closed) {
            try {
                var now = look();
                // Others look too; what counts is what was done to the disks.
                if (first || now.reached() != filled || now.reached() && hasGrown(now)) {
                    change(now);
                    filled = now.reached();
                    first = false;
                }
                boolean plenty = now.freeBytes() > now.reservedBytes() * 2 + PLENTY;
                Thread.sleep(plenty ? SELDOM : OFTEN);
            } catch (InterruptedException stopped) {
                return;
            } catch (RuntimeException e) {
                LOG.warn("The free space of {} could not be looked after: {}", folder, e.getMessage());
            }
        }
    }

    private synchronized DiskReserve look() {
        try {
            var host = Files.getFileStore(folder);
            long total = host.getTotalSpace();
            long reserved = reserve.of(total);
            // Much of it may be for other file systems, so it counts for half of the reserve and no more.
            long unwritten = Math.min(Unwritten.bytes(), reserved / 2);
            long free = Math.max(0, host.getUsableSpace() - unwritten);
            long enough = state.reached() ? reserved + reserved / SLACK : reserved;
            state = new DiskReserve(total, free, reserved, free < enough);
            return state;
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    private boolean hasGrown(DiskReserve now) {
        return now.freeBytes() < filledAt - now.reservedBytes() / GROWN;
    }

    private void change(DiskReserve now) {
        if (now.reached()) {
            LOG.warn("{} Disks do not grow until then.", now.objection().orElseThrow());
            forEach(disk -> store.backing().fill(disk));
            filledAt = look().freeBytes();
        } else {
            forEach(disk -> store.backing().empty(disk));
        }
    }

    private interface Act {
        void on(Disk disk) throws IOException;
    }

    /** Those that were written last go first: one of them is what grows. */
    private void forEach(Act act) {
        for (var disk : byLastWrite(store.all())) {
            try {
                if (store.find(disk.id()).isPresent()) {
                    act.on(disk);
                }
            } catch (IOException | RuntimeException e) {
                LOG.debug("The disk {} stays as it is: {}", disk.id(), e.getMessage());
            }
        }
    }

    private static List<Disk> byLastWrite(List<Disk> disks) {
        Predicate<Disk> isImage = disk -> Files.exists(disk.image());
        return disks.stream()
                .filter(isImage)
                .sorted(Comparator.comparing(ReserveWatch::lastWrite).reversed())
                .toList();
    }

    private static long lastWrite(Disk disk) {
        return disk.image().toFile().lastModified();
    }

    @Override
    public void close() {
        closed = true;
        if (!thread.isAlive()) {
            return;
        }
        thread.interrupt();
        try {
            thread.join(Duration.ofSeconds(5));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
