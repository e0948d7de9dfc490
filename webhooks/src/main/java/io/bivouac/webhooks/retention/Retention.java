package io.bivouac.webhooks.retention;

import io.bivouac.foundation.database.Outage;
import io.bivouac.foundation.loop.Loop;
import io.bivouac.webhooks.endpoint.Endpoints;
import io.micronaut.context.annotation.Context;
import io.micronaut.context.annotation.Requires;
import jakarta.annotation.PostConstruct;
import jakarta.annotation.PreDestroy;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Makes the coming days, drops the old ones and forgets replaced secrets, every hour. */
@Context
@Requires(property = "bivouac.webhooks.dispatch", notEquals = "false")
@Requires(property = "bivouac.kafka.bootstrap")
class Retention {
    private static final Logger LOG = LoggerFactory.getLogger(Retention.class);
    private static final Duration FIRST_AFTER = Duration.ofMinutes(1);
    private static final Duration EVERY = Duration.ofHours(1);

    private final DeliveryPartitions partitions;
    private final Endpoints endpoints;
    private final Loop loop = new Loop(
            "webhook-retention",
            this::run,
            EVERY,
            new Outage(LOG, "Old deliveries are kept for another hour", "Old deliveries are dropped again"));

    Retention(DeliveryPartitions partitions, Endpoints endpoints) {
        this.partitions = partitions;
        this.endpoints = endpoints;
    }

    @PostConstruct
    void start() {
        loop.startAfter(FIRST_AFTER);
    }

    Duration run() {
        endpoints.forgetReplacedSecrets();
        partitions.ensure();
        var dropped = partitions.dropOld();
        if (!dropped.isEmpty()) {
            LOG.info("Forgot the deliveries of {}", dropped);
        }
        return EVERY;
    }

    @PreDestroy
    void close() {
        loop.stop();
    }
}
