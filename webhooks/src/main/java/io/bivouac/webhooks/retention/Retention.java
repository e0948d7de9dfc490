package io.bivouac.webhooks.retention;

import io.bivouac.webhooks.endpoint.Endpoints;
import io.micronaut.context.annotation.Context;
import io.micronaut.context.annotation.Requires;
import jakarta.annotation.PostConstruct;
import jakarta.annotation.PreDestroy;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Makes the coming days, drops the old ones and forgets replaced secrets, every hour. */
@Context
@Requires(property = "bivouac.webhooks.dispatch", notEquals = "false")
@Requires(property = "bivouac.kafka.bootstrap")
class Retention {
    private static final Logger LOG = LoggerFactory.getLogger(Retention.class);

    private final DeliveryPartitions partitions;
    private final Endpoints endpoints;
    private final ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().name("webhook-retention").daemon().factory());

    Retention(DeliveryPartitions partitions, Endpoints endpoints) {
        this.partitions = partitions;
        this.endpoints = endpoints;
    }

    @PostConstruct
    void start() {
        clock.scheduleWithFixedDelay(this::run, 1, 60, TimeUnit.MINUTES);
    }

    void run() {
        try {
            endpoints.forgetReplacedSecrets();
            partitions.ensure();
            var dropped = partitions.dropOld();
            if (!dropped.isEmpty()) {
                LOG.info("Forgot the deliveries of {}", dropped);
            }
        } catch (RuntimeException failed) {
            LOG.warn("Old deliveries are kept for another hour: {}", failed.getMessage());
        }
    }

    @PreDestroy
    void close() {
        clock.shutdownNow();
    }
}
