package io.bivouac.webhooks.parking;

import io.bivouac.foundation.changefeed.ChangeFeed;
import io.bivouac.foundation.database.Outage;
import io.bivouac.foundation.fault.FaultPoint;
import io.bivouac.foundation.loop.Loop;
import io.bivouac.webhooks.delivery.DeliveryRows;
import io.bivouac.webhooks.delivery.Ledger;
import io.bivouac.webhooks.delivery.Outcome;
import io.bivouac.webhooks.delivery.Outcome.State;
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
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the lanes filled with what is parked and due. Looks when the next delivery is due; at once when an endpoint
 * changes or a delivery is put back; four times a second while something is due or under way; and without a pause while
 * there is more.
 */
@Context
@Requires(property = "bivouac.kafka.bootstrap")
@Requires(property = "bivouac.webhooks.dispatch", notEquals = "false")
class Drain {
    private static final Logger LOG = LoggerFactory.getLogger(Drain.class);
    private static final long LOOK_EVERY_MILLIS = 250;
    private static final long BUSY_MILLIS = 5;
    private static final Duration LONGEST_END = Duration.ofSeconds(2);

    /** What another process parked, or had claimed when it died, is found after so long. */
    private static final long LONGEST_REST_MILLIS = 2_000;

    private final EndpointDirectory directory;
    private final Lanes lanes;
    private final Claims claims;

    /** Endpoints to which somebody has asked for something to be sent: even an open breaker lets that through. */
    private final Set<String> asked = ConcurrentHashMap.newKeySet();

    private final Loop loop = new Loop(
            "webhook-drain",
            this::fillLanes,
            Duration.ofMillis(LOOK_EVERY_MILLIS),
            new Outage(LOG, "Parked webhooks wait", "Parked webhooks are sent again"));
    private volatile long restsUntil = System.nanoTime();

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
                    loop.wake();
                } else if (directory.find(id) != null) {
                    loop.wake();
                }
            }

            @Override
            public void reconnected() {
                loop.wake();
            }
        });
    }

    private void stored(List<Outcome> outcomes) {
        long rest = TimeUnit.NANOSECONDS.toMillis(restsUntil - System.nanoTime());
        if (outcomes.stream()
                .anyMatch(outcome -> isAwaited(outcome) || isDueWithin(rest - LOOK_EVERY_MILLIS, outcome))) {
            loop.wake();
        }
    }

    /** In strict order the next one may only go when the last one is written down. */
    private static boolean isAwaited(Outcome outcome) {
        return outcome.delivery().endpoint().manner().fifo();
    }

    private static boolean isDueWithin(long millis, Outcome outcome) {
        return outcome.state() == State.WAITING && outcome.delayMillis() < millis;
    }

    @PostConstruct
    void start() {
        loop.start();
    }

    private Duration fillLanes() throws SQLException {
        restsUntil = System.nanoTime();
        return Duration.ofMillis(pauseAfter(round()));
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

    private long pauseAfter(int claimed) throws SQLException {
        if (claimed > 0) {
            return BUSY_MILLIS;
        }
        if (lanes.depth() > 0) {
            return LOOK_EVERY_MILLIS;
        }
        // Said before the table is asked: who writes something down while that is done wakes us after it.
        restFor(LONGEST_REST_MILLIS);
        var enabled = directory.all().stream()
                .filter(Endpoint::isEnabled)
                .map(Endpoint::id)
                .toList();
        long pause = Math.clamp(claims.millisToNext(enabled), LOOK_EVERY_MILLIS, LONGEST_REST_MILLIS);
        restFor(pause);
        return pause;
    }

    private void restFor(long millis) {
        restsUntil = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
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
    void close() {
        loop.finish(LONGEST_END);
    }
}
