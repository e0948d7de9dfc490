package io.bivouac.webhooks.lane;

import io.bivouac.webhooks.WebhookSettings;
import io.bivouac.webhooks.delivery.DeliveryMetrics;
import io.bivouac.webhooks.delivery.Ledger;
import io.bivouac.webhooks.endpoint.Endpoint;
import io.bivouac.webhooks.sending.Dialer;
import io.bivouac.webhooks.sending.SendingLoops;
import jakarta.inject.Singleton;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** A lane for each endpoint that something was ever sent to. Thread-safe. */
@Singleton
public class Lanes {
    private final LaneWorld world;
    private final Map<String, Lane> byEndpoint = new ConcurrentHashMap<>();

    Lanes(
            SendingLoops loops,
            Dialer dialer,
            Ledger ledger,
            EndpointHealth health,
            DeliveryMetrics metrics,
            WebhookSettings settings) {
        world = new LaneWorld(loops, dialer, ledger, health, metrics, new AtomicInteger(), settings.getTimeout());
        metrics.watchLanes(this::depth);
    }

    /** The endpoint's lane, which from now on goes by what the endpoint says. */
    public Lane of(Endpoint endpoint) {
        var lane = byEndpoint.computeIfAbsent(endpoint.id(), _ -> new Lane(endpoint, world));
        lane.update(endpoint);
        return lane;
    }

    /** Ends the lanes of endpoints that are no more. */
    public void keepOnly(Set<String> endpoints) {
        byEndpoint.values().removeIf(lane -> {
            boolean over = !endpoints.contains(lane.endpoint().id());
            if (over) {
                lane.close();
            }
            return over;
        });
    }

    /** Deliveries in all lanes. */
    public int depth() {
        return world.depth().get();
    }
}
