package io.bivouac.terminalrelay.agent;

/** How many connections out of one sandbox there may be, and how fast they may come. Thread-safe. */
final class EgressPlaces {
    private final MessageBudget budget =
            new MessageBudget(Bounds.EGRESS_AT_ONCE, Bounds.EGRESS_PER_SECOND, System.nanoTime());
    private int taken;

    synchronized boolean take() {
        if (taken >= Bounds.EGRESS_CONNECTIONS || !budget.take(System.nanoTime())) {
            return false;
        }
        taken++;
        return true;
    }

    synchronized void release() {
        taken--;
    }
}
