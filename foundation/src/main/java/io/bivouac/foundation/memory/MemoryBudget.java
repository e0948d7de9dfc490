package io.bivouac.foundation.memory;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import jakarta.inject.Singleton;
import java.lang.ref.Cleaner;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;

/**
 * Bounds what the process holds for answers, since one heap has all of it and the process ends when that is full. A
 * project may hold twice of what is left free: two thirds when it is alone, and whoever comes later still finds
 * room. Thread-safe.
 */
@Singleton
public class MemoryBudget {
    private static final Cleaner CLEANER = Cleaner.create();

    private final long bytes;
    private final Map<String, Long> byProject = new HashMap<>();
    private final Map<Purpose, Long> byPurpose = new EnumMap<>(Purpose.class);
    private final Map<Purpose, Counter> refusedProjects = new EnumMap<>(Purpose.class);
    private final Map<Purpose, Counter> refusedAll = new EnumMap<>(Purpose.class);
    private long taken;

    MemoryBudget(MemorySettings settings, MeterRegistry registry) {
        this.bytes = settings.getBudget();
        for (var purpose : Purpose.values()) {
            byPurpose.put(purpose, 0L);
            Gauge.builder("bivouac.memory.held", this, budget -> budget.heldFor(purpose))
                    .tag("purpose", purpose.label())
                    .baseUnit("bytes")
                    .description("Memory held for answers that are not sent yet")
                    .register(registry);
            refusedProjects.put(purpose, refusals(registry, purpose, "project"));
            refusedAll.put(purpose, refusals(registry, purpose, "server"));
        }
    }

    private static Counter refusals(MeterRegistry registry, Purpose purpose, String cause) {
        return Counter.builder("bivouac.memory.refused")
                .tag("purpose", purpose.label())
                .tag("cause", cause)
                .description("Answers refused because they did not fit into the memory budget")
                .register(registry);
    }

    /**
     * A place for something that is held for a project, empty at first.
     *
     * @param holder who has the bytes: when nobody can reach it any more, the place is given back
     */
    public Holding holding(Purpose purpose, String project, Object holder) {
        var holding = new Holding(this, purpose, project);
        holding.cleanedWith(CLEANER.register(holder, holding::giveBack));
        return holding;
    }

    private synchronized double heldFor(Purpose purpose) {
        return byPurpose.get(purpose);
    }

    /** Whether it fitted. */
    synchronized boolean take(Purpose purpose, String project, long more) {
        long mine = byProject.getOrDefault(project, 0L);
        long left = bytes - taken - more;
        if (mine + more > MemorySettings.SHARE * left) {
            return false;
        }
        add(purpose, project, more);
        return true;
    }

    /** The same, with a wait for what others give back. */
    synchronized boolean take(Purpose purpose, String project, long more, long patienceNanos)
            throws InterruptedException {
        long deadline = System.nanoTime() + patienceNanos;
        while (!take(purpose, project, more)) {
            long left = (deadline - System.nanoTime()) / 1_000_000;
            if (left <= 0) {
                return false;
            }
            wait(left);
        }
        return true;
    }

    synchronized void giveBack(Purpose purpose, String project, long less) {
        if (less > 0) {
            add(purpose, project, -less);
            notifyAll();
        }
    }

    private void add(Purpose purpose, String project, long more) {
        taken += more;
        byPurpose.merge(purpose, more, Long::sum);
        byProject.merge(project, more, (before, change) -> before + change == 0 ? null : before + change);
    }

    /** Whether the larger part of what is taken is the project's own, so that it can make room itself. */
    synchronized boolean refused(Purpose purpose, String project) {
        boolean own = 2 * byProject.getOrDefault(project, 0L) >= taken;
        (own ? refusedProjects : refusedAll).get(purpose).increment();
        return own;
    }
}
