package io.bivouac.foundation.share;

import java.time.Duration;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A pool of places with a share for each project and each caller. Whoever waits gets a place in turn: the project with
 * the fewest goes first, and within it whoever came first. Thread-safe.
 */
public final class Shares {
    private final String pool;
    private final Bounds bounds;
    private final Map<String, Integer> ofProjects = new HashMap<>();
    private final Map<Party, Integer> ofCallers = new HashMap<>();
    private final Set<Waiting> waiting = new LinkedHashSet<>();
    private final Map<Bound, Long> refused = new EnumMap<>(Bound.class);
    private int taken;

    /** @param pool what a place is for, in the plural, as refusals name it: "event streams" */
    public Shares(String pool, Bounds bounds) {
        this.pool = pool;
        this.bounds = bounds;
    }

    /** One that waits for its turn. */
    private static final class Waiting {
        private final Party party;
        private boolean granted;

        Waiting(Party party) {
            this.party = party;
        }
    }

    public Bounds bounds() {
        return bounds;
    }

    /** A place at once, or a refusal that says which bound was reached. */
    public Place take(Party party) {
        return take(party, bounds.perProject());
    }

    /** @param ofProject this project's own bound, where it has one */
    public synchronized Place take(Party party, int ofProject) {
        var reached = reached(party, ofProject);
        if (reached.isPresent()) {
            throw refusal(reached.get(), ofProject);
        }
        count(party, 1);
        return placeOf(party);
    }

    /** A place as soon as it is this party's turn, or a refusal after that long. */
    public synchronized Place await(Party party, Duration atMost) throws InterruptedException {
        long deadline = System.nanoTime() + atMost.toNanos();
        var turn = new Waiting(party);
        waiting.add(turn);
        grant();
        try {
            while (!turn.granted) {
                long left = deadline - System.nanoTime();
                if (left <= 0) {
                    throw refusal(reached(party, bounds.perProject()).orElse(Bound.TOTAL), bounds.perProject());
                }
                wait(left / 1_000_000, (int) (left % 1_000_000));
            }
        } catch (InterruptedException stopped) {
            if (turn.granted) {
                give(party);
            }
            throw stopped;
        } finally {
            waiting.remove(turn);
        }
        return placeOf(party);
    }

    public synchronized int taken() {
        return taken;
    }

    /** How many a project has now. */
    public synchronized int takenBy(String project) {
        return ofProjects.getOrDefault(project, 0);
    }

    /** How many wait for their turn. */
    public synchronized int waiting() {
        return waiting.size();
    }

    public synchronized long refused(Bound bound) {
        return refused.getOrDefault(bound, 0L);
    }

    /** How many parties are remembered: those that have a place, and no others. */
    synchronized int parties() {
        return ofCallers.size();
    }

    private Optional<Bound> reached(Party party, int ofProject) {
        if (ofCallers.getOrDefault(party, 0) >= bounds.perCaller()) {
            return Optional.of(Bound.CALLER);
        }
        if (takenBy(party.project()) >= ofProject) {
            return Optional.of(Bound.PROJECT);
        }
        return taken >= bounds.total() ? Optional.of(Bound.TOTAL) : Optional.empty();
    }

    private ShareTaken refusal(Bound bound, int ofProject) {
        refused.merge(bound, 1L, Long::sum);
        return new ShareTaken(
                pool,
                bound,
                switch (bound) {
                    case CALLER -> bounds.perCaller();
                    case PROJECT -> ofProject;
                    case TOTAL -> bounds.total();
                });
    }

    private Place placeOf(Party party) {
        var given = new AtomicBoolean();
        return () -> {
            if (given.compareAndSet(false, true)) {
                give(party);
            }
        };
    }

    private synchronized void give(Party party) {
        count(party, -1);
        grant();
    }

    /** Gives what is free to those who wait, as long as there is one whose share is not taken. */
    private void grant() {
        Waiting next = next();
        while (next != null) {
            next.granted = true;
            waiting.remove(next);
            count(next.party, 1);
            notifyAll();
            next = next();
        }
    }

    /** Null when nobody can have a place. The first of those with the fewest, as the set is in order of coming. */
    private Waiting next() {
        Waiting best = null;
        for (var one : waiting) {
            boolean may = reached(one.party, bounds.perProject()).isEmpty();
            if (may && (best == null || takenBy(one.party.project()) < takenBy(best.party.project()))) {
                best = one;
            }
        }
        return best;
    }

    private void count(Party party, int change) {
        taken += change;
        ofProjects.merge(party.project(), change, Shares::sumOrNothing);
        ofCallers.merge(party, change, Shares::sumOrNothing);
    }

    /** Null, which removes the entry, for nobody's: a party without a place is forgotten. */
    private static Integer sumOrNothing(int before, int change) {
        int sum = before + change;
        return sum == 0 ? null : sum;
    }
}
