package io.bivouac.agentlink;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The connections out of one sandbox over one agent: how many there are, and how fast they may come. Thread-safe. */
final class EgressPlaces {
    private final MessageBudget budget =
            new MessageBudget(Bounds.EGRESS_AT_ONCE, Bounds.EGRESS_PER_SECOND, System.nanoTime());
    private final Set<CarriedStream> open = ConcurrentHashMap.newKeySet();

    /** Whether there is a place for one more now. */
    synchronized boolean hasPlace() {
        return open.size() < Bounds.EGRESS_CONNECTIONS && budget.take(System.nanoTime());
    }

    void add(CarriedStream stream) {
        open.add(stream);
    }

    void forget(CarriedStream stream) {
        open.remove(stream);
    }

    /** The agent is no longer believed to be who it was. */
    void closeAll() {
        open.forEach(CarriedStream::close);
    }
}
