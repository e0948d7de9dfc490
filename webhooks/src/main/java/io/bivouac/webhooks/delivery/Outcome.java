package io.bivouac.webhooks.delivery;

import io.micronaut.core.annotation.Nullable;

/**
 * What became of a delivery for now.
 *
 * @param attempt null when it is parked untried
 * @param delayMillis until the next attempt; of one that waits
 */
public record Outcome(
        Delivery delivery,
        State state,
        long delayMillis,
        @Nullable Attempt attempt) {
    /** As rows have it, in lower case. */
    public enum State {
        WAITING,
        DELIVERED,
        DEAD,
        CANCELLED
    }

    public static Outcome delivered(Delivery delivery, Attempt attempt) {
        return new Outcome(delivery, State.DELIVERED, 0, attempt);
    }

    /** Untried. A claimed one is given back: due again at once, for anybody. */
    public static Outcome parked(Delivery delivery) {
        return new Outcome(delivery, State.WAITING, 0, null);
    }

    public static Outcome retriedAfter(Delivery delivery, Attempt attempt, long delayMillis) {
        return new Outcome(delivery, State.WAITING, delayMillis, attempt);
    }

    public static Outcome dead(Delivery delivery, Attempt attempt) {
        return new Outcome(delivery, State.DEAD, 0, attempt);
    }

    /** The same without the receiver's own words. */
    Outcome wordless() {
        return new Outcome(delivery, state, delayMillis, attempt.wordless());
    }
}
