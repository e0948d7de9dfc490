package io.bivouac.webhooks.lane;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.bivouac.webhooks.WebhookSettings;
import io.bivouac.webhooks.endpoint.Endpoint;
import io.bivouac.webhooks.endpoint.Endpoint.Disabled;
import io.bivouac.webhooks.endpoint.Endpoints;
import jakarta.annotation.PreDestroy;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes down since when an endpoint fails, and disables it when that is too long ago or it says that it is gone.
 * Beside the lanes, which may not wait for a database, and at most once in a while for each endpoint: the next answer
 * brings the next occasion. Thread-safe.
 */
@Singleton
class EndpointHealth {
    private static final Logger LOG = LoggerFactory.getLogger(EndpointHealth.class);
    private static final Duration AT_MOST_EVERY = Duration.ofSeconds(5);
    private static final int REMEMBERED = 10_000;

    private final Endpoints endpoints;
    private final Duration disableAfter;
    private final Clock clock;
    private final Cache<String, Boolean> lately = Caffeine.newBuilder()
            .maximumSize(REMEMBERED)
            .expireAfterWrite(AT_MOST_EVERY)
            .build();
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

    EndpointHealth(Endpoints endpoints, WebhookSettings settings, Clock clock) {
        this.endpoints = endpoints;
        this.disableAfter = settings.getDisableAfter();
        this.clock = clock;
    }

    void succeeded(Endpoint endpoint) {
        if (endpoint.health().failingSince() != null) {
            write(endpoint.id(), () -> endpoints.working(endpoint.id()));
        }
    }

    void failed(Endpoint endpoint) {
        var since = endpoint.health().failingSince();
        if (since == null) {
            write(endpoint.id(), () -> endpoints.failing(endpoint.id()));
        } else if (clock.instant().isAfter(since.plus(disableAfter))) {
            disable(endpoint, Disabled.FAILING);
        }
    }

    void disable(Endpoint endpoint, Disabled reason) {
        write(endpoint.id() + "/disabled", () -> endpoints.disable(endpoint, reason));
    }

    private void write(String what, Runnable change) {
        if (lately.asMap().putIfAbsent(what, true) != null) {
            return;
        }
        threads.execute(() -> {
            try {
                change.run();
            } catch (RuntimeException failed) {
                lately.invalidate(what);
                LOG.warn("Could not write down how {} is doing; trying again: {}", what, failed.getMessage());
            }
        });
    }

    @PreDestroy
    void close() {
        threads.shutdownNow();
    }
}
