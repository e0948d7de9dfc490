package io.bivouac.webhooks.lane;

import io.bivouac.webhooks.delivery.DeliveryMetrics;
import io.bivouac.webhooks.delivery.Ledger;
import io.bivouac.webhooks.sending.Dialer;
import io.bivouac.webhooks.sending.SendingLoops;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * What all lanes share.
 *
 * @param depth deliveries in all lanes together
 * @param timeout of one attempt
 */
record LaneWorld(
        SendingLoops loops,
        Dialer dialer,
        Ledger ledger,
        EndpointHealth health,
        DeliveryMetrics metrics,
        AtomicInteger depth,
        Duration timeout) {}
