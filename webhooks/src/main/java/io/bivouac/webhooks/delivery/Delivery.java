package io.bivouac.webhooks.delivery;

import io.bivouac.webhooks.endpoint.Endpoint;
import io.micronaut.core.annotation.Nullable;

/**
 * One event on its way to one endpoint.
 *
 * @param claim of its row, which waits in the ledger; null when it comes straight from Kafka
 * @param settlement told once, when what became of it is stored
 * @param since when it came into this process's hands, by {@link System#nanoTime}
 */
public record Delivery(
        String id,
        Endpoint endpoint,
        EventMessage event,
        @Nullable Claim claim,
        Settlement settlement,
        long since) {

    /**
     * What a row said when it was taken for an attempt.
     *
     * @param attempts how many were made before
     * @param replays how often it had been put back
     */
    public record Claim(int attempts, int replays) {}

    /** Waits for a delivery to be answered or parked for good. */
    @FunctionalInterface
    public interface Settlement {
        void settled();

        Settlement NOBODY = () -> {};
    }

    public static Delivery fresh(Endpoint endpoint, EventMessage event, Settlement settlement) {
        return new Delivery(
                DeliveryId.of(endpoint.id(), event.id()), endpoint, event, null, settlement, System.nanoTime());
    }

    public static Delivery claimed(String id, Endpoint endpoint, EventMessage event, Claim claim) {
        return new Delivery(id, endpoint, event, claim, Settlement.NOBODY, System.nanoTime());
    }

    public boolean claimed() {
        return claim != null;
    }

    public int attempts() {
        return claim == null ? 0 : claim.attempts();
    }

    /** Of what comes from Kafka none is known: whoever has asked for a replay has not meant this attempt. */
    int replays() {
        return claim == null ? 0 : claim.replays();
    }
}
