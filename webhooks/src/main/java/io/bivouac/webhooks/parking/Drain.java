package io.bivouac.webhooks.parking;

import io.bivouac.sandboxes.database.Outage;
import io.bivouac.sandboxes.fault.FaultPoint;
import io.bivouac.sandboxes.watch.ChangeFeed;
import io.bivouac.webhooks.delivery.DeliveryRows;
import io.bivouac.webhooks.delivery.Ledger;
import io.bivouac.webhooks.delivery.Outcome;
import io.bivouac.webhooks.endpoint.Endpoint;
import io.bivouac.webhooks.endpoint.EndpointDirectory;
import io.bivouac.webhooks.lane.Lane;
import io.bivouac.webhooks.lane.Lane.Places;
import io.bivouac.webhooks.lane.Lanes;
import io.micronaut.context.annotation.Context;
import io.micronaut.context.annotation.Requires;
import jakarta.annotation.PostConstruct;
import jakarta.annotation.PreDestroy;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the lanes filled with what is parked and due. Looks four times a second, at once when an endpoint changes or a
 * delivery is put back, and without a pause while there is more.
 */
@Context
@Requires(property = "bivouac.kafka.bootstrap")
@Requires(property = "bivouac.webhooks.dispatch", notEquals = "false")
class Drain {
    private static final Logger LOG = LoggerFactory.getLogger(Drain.class);
    private static final long LOOK_EVERY_MILLIS = 250;
    private static final long BUSY_MILLIS = 5;

    private final EndpointDirectory directory;
    private final Lanes lanes;
    private final Claims claims;
    private final Outage outage = new Outage(LOG);
    private final Semaphore wake = new Semaphore(0);

    /** Endpoints to which somebody has asked for something to be sent: even an open breaker lets that through. */
    private final Set<String> asked = ConcurrentHashMap.newKeySet();

    private final Thread thread =
            Thread.ofPlatform().name("webhook-drain").daemon().unstarted(this::run);
    private volatile boolean closed;

    Drain(EndpointDirectory directory, Lanes lanes, Claims claims, Ledger ledger, ChangeFeed feed) {
        this.directory = directory;
        this.lanes = lanes;
        this.claims = claims;
        ledger.listen(this::stored);
        feed.listen(new ChangeFeed.Listener() {
            @Override
            public void changed(String id) {
                if (id.startsWith(DeliveryRows.ASKED)) {
                    asked.add(id.substring(DeliveryRows.ASKED.length()));
                    wake.release();
                } else if (directory.find(id) != null) {
                    wake.release();
                }
            }

            @Override
            public void reconnected() {
                wake.release();
            }
        });
    }

    /** In strict order the next one may only go when the last one is written down. */
    private void stored(List<Outcome> outcomes) {
        if (outcomes.stream()
                .anyMatch(outcome -> outcome.delivery().endpoint().manner().fifo())) {
            wake.release();
        }
    }

    @PostConstruct
    void start() {
        thread.start();
    }

    private void run() {
        try {
            while (!closed) {
                boolean busy = false;
                try {
                    busy = round() > 0;
                    outage.works("Parked webhooks are sent again");
                } catch (SQLException | RuntimeException failed) {
                    if (!closed) {
                        outage.failed("Parked webhooks wait", failed);
                    }
                }
                if (wake.tryAcquire(busy ? BUSY_MILLIS : LOOK_EVERY_MILLIS, TimeUnit.MILLISECONDS)) {
                    wake.drainPermits();
                }
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    private int round() throws SQLException {
        directory.refresh();
        var present = directory.all().stream().map(Endpoint::id).collect(Collectors.toSet());
        lanes.keepOnly(present);
        asked.retainAll(present);
        // Taken out before the table is looked at: who asks while that is done is heard in the next round.
        var unheard = new HashSet<>(asked);
        asked.removeAll(unheard);
        int claimed;
        try {
            var open = openLanes(unheard);
            claimed = open.isEmpty() ? 0 : claims.fill(open);
            open.keySet().forEach(lane -> unheard.remove(lane.endpoint().id()));
        } finally {
            asked.addAll(unheard);
        }
        if (claimed > 0) {
            FaultPoint.MID_DRAIN.pass();
        }
        return claimed;
    }

    private Map<Lane, Places> openLanes(Set<String> wanted) {
        var open = new HashMap<Lane, Places>();
        for (var endpoint : directory.all()) {
            var lane = lanes.of(endpoint);
            var places = lane.places(wanted.contains(endpoint.id()));
            if (places.count() > 0) {
                open.put(lane, places);
            }
        }
        return open;
    }

    @PreDestroy
    void close() throws InterruptedException {
        closed = true;
        wake.release();
        thread.join(TimeUnit.SECONDS.toMillis(2));
        thread.interrupt();
    }
}
