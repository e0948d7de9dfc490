package io.bivouac.runtimes.bubblewrap;

import io.bivouac.sandboxmodel.SandboxId;
import java.time.Duration;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;

/** Cores in use, from two readings of a counter: the one before, or for the first time two in a row. */
final class CpuMeter {
    private static final Duration SHORTEST = Duration.ofMillis(100);
    private static final Duration OLDEST = Duration.ofMinutes(1);

    private final ConcurrentHashMap<SandboxId, Reading> readings = new ConcurrentHashMap<>();

    private record Reading(long at, long cpuNanos) {
        static Reading of(LongSupplier counter) {
            return new Reading(System.nanoTime(), counter.getAsLong());
        }

        long age() {
            return System.nanoTime() - at;
        }
    }

    double cores(SandboxId id, LongSupplier counter) {
        var before = readings.get(id);
        if (before == null || before.age() > OLDEST.toNanos()) {
            before = Reading.of(counter);
        }
        if (before.age() < SHORTEST.toNanos()) {
            LockSupport.parkNanos(SHORTEST.toNanos() - before.age());
        }
        var now = Reading.of(counter);
        readings.put(id, now);
        return Math.max(0, (double) (now.cpuNanos() - before.cpuNanos()) / (now.at() - before.at()));
    }

    boolean remembers(SandboxId id) {
        return readings.containsKey(id);
    }

    void forget(SandboxId id) {
        readings.remove(id);
    }
}
