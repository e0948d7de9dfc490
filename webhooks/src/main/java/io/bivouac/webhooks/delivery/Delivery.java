package io.bivouac.webhooks.delivery;

import io.bivouac.webhooks.endpoint.Endpoint;

/**
 * One event on its way to one endpoint.
 *
 * @param attempts how many were made before
 * @param claimed whether its row waits in the ledger and was claimed for this attempt
 * @param settlement told once, when what became of it is stored
 * @param since when it came into this process's hands, by {@link System#nanoTime}
 */
public record Delivery(
        String id,
        Endpoint endpoint,
        EventMessage event,
        int attempts,
        boolean claimed,
        Settlement settlement,
        long since) {

    /** Waits for a delivery to be answered or parked for good. */
    @FunctionalInterface
    public interface Settlement {
        void settled();

        Settlement NOBODY = () -> {};
    }

    public static Delivery fresh(Endpoint endpoint, EventMessage event, Settlement settlement) {
        return new Delivery(
                DeliveryId.of(endpoint.id(), event.id()), endpoint, event, 0, false, settlement, System.nanoTime());
    }

    public static Delivery claimed(String id, Endpoint endpoint, EventMessage event, int attempts) {
        return new Delivery(id, endpoint, event, attempts, true, Settlement.NOBODY, System.nanoTime());
    }
}
