package io.bivouac.webhooks.lane;

import io.bivouac.webhooks.WebhookSettings;
import io.bivouac.webhooks.endpoint.Endpoint;
import io.bivouac.webhooks.endpoint.Endpoint.Disabled;
import io.bivouac.webhooks.endpoint.Endpoints;
import jakarta.annotation.PreDestroy;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes down since when an endpoint fails, and disables it when that is too long ago or it says that it is gone.
 * Beside the lanes, which may not wait for a database, and at most once in a while for each endpoint; what it did last
 * is written in the end, also when nothing is sent to it any more. Thread-safe.
 */
@Singleton
class EndpointHealth {
    private static final Logger LOG = LoggerFactory.getLogger(EndpointHealth.class);
    private static final Duration AT_MOST_EVERY = Duration.ofSeconds(2);

    private final Endpoints endpoints;
    private final Duration disableAfter;
    private final Clock clock;

    /** Whether it failed last; of endpoints about which something was written a moment ago, or is about to be. */
    private final Map<String, Boolean> failing = new ConcurrentHashMap<>();

    private final Set<String> beingDisabled = ConcurrentHashMap.newKeySet();
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

    EndpointHealth(Endpoints endpoints, WebhookSettings settings, Clock clock) {
        this.endpoints = endpoints;
        this.disableAfter = settings.getDisableAfter();
        this.clock = clock;
    }

    void succeeded(Endpoint endpoint) {
        // A failure that was just written down may not be known here yet.
        if (endpoint.health().failingSince() != null || failing.containsKey(endpoint.id())) {
            tell(endpoint.id(), false);
        }
    }

    void failed(Endpoint endpoint) {
        var since = endpoint.health().failingSince();
        if (since == null || failing.containsKey(endpoint.id())) {
            tell(endpoint.id(), true);
        }
        if (since != null && clock.instant().isAfter(since.plus(disableAfter))) {
            disable(endpoint, Disabled.FAILING);
        }
    }

    void disable(Endpoint endpoint, Disabled reason) {
        if (beingDisabled.add(endpoint.id())) {
            threads.execute(() -> {
                write(endpoint.id(), () -> endpoints.disable(endpoint, reason));
                beingDisabled.remove(endpoint.id());
            });
        }
    }

    private void tell(String id, boolean fails) {
        if (failing.put(id, fails) == null) {
            threads.execute(() -> follow(id));
        }
    }

    private void follow(String id) {
        try {
            boolean fails;
            boolean written;
            do {
                fails = failing.get(id);
                written = write(id, fails ? () -> endpoints.failing(id) : () -> endpoints.working(id));
                Thread.sleep(AT_MOST_EVERY);
            } while (!written || !failing.remove(id, fails));
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    private static boolean write(String id, Runnable change) {
        try {
            change.run();
            return true;
        } catch (RuntimeException failed) {
            LOG.warn("Could not write down how {} is doing; trying again: {}", id, failed.getMessage());
            return false;
        }
    }

    @PreDestroy
    void close() {
        threads.shutdownNow();
    }
}
