package io.bivouac.webhooks.dispatch;

import io.bivouac.foundation.database.Outage;
import io.bivouac.foundation.outbox.EventTopic;
import io.bivouac.foundation.outbox.KafkaSettings;
import io.bivouac.webhooks.WebhookSettings;
import io.bivouac.webhooks.retention.DeliveryPartitions;
import io.micronaut.context.annotation.Context;
import io.micronaut.context.annotation.Requires;
import io.micronaut.core.annotation.Nullable;
import jakarta.annotation.PostConstruct;
import jakarta.annotation.PreDestroy;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.errors.WakeupException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads events and routes them, on a thread of its own. Any number of these share the partitions; the events of one
 * sandbox are all in one.
 */
@Context
@Requires(property = "bivouac.kafka.bootstrap")
@Requires(property = "bivouac.webhooks.dispatch", notEquals = "false")
class Dispatcher {
    private static final Logger LOG = LoggerFactory.getLogger(Dispatcher.class);

    /** How soon an offset is looked at again that waits for its deliveries, or for Kafka's answer. */
    private static final Duration POLL = Duration.ofMillis(100);

    /** Records end a poll at once, so does {@link #close}; all that waits longer is another turn of the loop. */
    private static final Duration IDLE_POLL = Duration.ofSeconds(5);

    private static final long HOLD_NANOS = TimeUnit.MICROSECONDS.toNanos(500);
    private static final long RETRY_MILLIS = 500;

    private final KafkaSettings kafka;
    private final WebhookSettings settings;
    private final Router router;
    private final DeliveryPartitions partitions;
    private final Outage outage =
            new Outage(LOG, "Webhooks wait for Kafka or the database", "Webhooks read events again");
    private final Thread thread =
            Thread.ofPlatform().name("webhook-dispatcher").daemon().unstarted(this::run);
    private volatile boolean closed;
    private volatile @Nullable KafkaConsumer<byte[], byte[]> polled;

    Dispatcher(KafkaSettings kafka, WebhookSettings settings, Router router, DeliveryPartitions partitions) {
        this.kafka = kafka;
        this.settings = settings;
        this.router = router;
        this.partitions = partitions;
    }

    @PostConstruct
    void start() {
        // At once, so that a wrong key for the secrets is a refused start and not a silent messenger.
        router.refresh();
        partitions.ensure();
        thread.start();
    }

    private void run() {
        while (!closed) {
            try {
                EventTopic.ensure(kafka);
                read();
            } catch (RuntimeException failed) {
                if (!closed) {
                    outage.failed(failed);
                    LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(RETRY_MILLIS));
                }
            }
        }
    }

    private void read() {
        try (var consumer =
                new KafkaConsumer<>(properties(), new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
            var batch = new Batch();
            var offsets = new Offsets(consumer, batch);
            consumer.subscribe(List.of(kafka.getTopic()), offsets);
            polled = consumer;
            try {
                while (!closed) {
                    turn(consumer, batch, offsets);
                }
            } catch (WakeupException stopping) {
                LOG.debug("Woken to stop");
            }
            offsets.commitNow();
        } finally {
            polled = null;
        }
    }

    private void turn(KafkaConsumer<byte[], byte[]> consumer, Batch batch, Offsets offsets) {
        if (batch.isEmpty()) {
            consumer.resume(consumer.paused());
            batch.add(consumer.poll(offsets.areAllCommitted() ? IDLE_POLL : POLL));
        } else {
            LockSupport.parkNanos(HOLD_NANOS);
            offsets.pollWhileHolding();
        }
        if (batch.isUnmatched()) {
            refresh(batch);
        }
        if (!batch.isUnmatched()) {
            batch.route(router, offsets.progress());
        }
        offsets.commitNowAndThen();
    }

    /** Without knowing every endpoint nothing may be routed: an event could miss one that was just made. */
    private void refresh(Batch batch) {
        try {
            router.refresh();
            batch.matchable();
            outage.works();
        } catch (RuntimeException databaseAway) {
            outage.failed(databaseAway);
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(RETRY_MILLIS));
        }
    }

    private Map<String, Object> properties() {
        var properties = kafka.clientProperties();
        properties.put("group.id", settings.getGroup());
        properties.put("enable.auto.commit", "false");
        // A group that is new, or was away for long, sends again rather than never.
        properties.put("auto.offset.reset", "earliest");
        properties.put("max.poll.records", "1000");
        properties.put("session.timeout.ms", "10000");
        properties.put("heartbeat.interval.ms", "2000");
        properties.put("allow.auto.create.topics", "false");
        return properties;
    }

    @PreDestroy
    void close() throws InterruptedException {
        closed = true;
        LockSupport.unpark(thread);
        var consumer = polled;
        if (consumer != null) {
            consumer.wakeup();
        }
        thread.join(TimeUnit.SECONDS.toMillis(3));
        thread.interrupt();
    }
}
