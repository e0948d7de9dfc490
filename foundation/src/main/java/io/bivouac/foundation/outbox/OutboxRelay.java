package io.bivouac.foundation.outbox;

import io.bivouac.foundation.changefeed.ChangeFeed;
import io.bivouac.foundation.database.AdvisoryLock;
import io.bivouac.foundation.database.DatabaseSettings;
import io.bivouac.foundation.database.Outage;
import io.bivouac.foundation.fault.FaultPoint;
import io.bivouac.foundation.loop.Loop;
import io.micronaut.context.annotation.Context;
import io.micronaut.context.annotation.Requires;
import jakarta.annotation.PostConstruct;
import jakarta.annotation.PreDestroy;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Carries events from the outbox to Kafka, in whichever process holds the lock. Woken by the change feed; looks
 * by itself now and then, so that a missed wake-up only costs a moment.
 */
@Context
@Requires(property = "bivouac.kafka.bootstrap")
@Requires(property = "bivouac.background", notEquals = "false")
public class OutboxRelay {
    private static final Logger LOG = LoggerFactory.getLogger(OutboxRelay.class);
    private static final Duration LOOK_EVERY = Duration.ofSeconds(1);
    private static final Duration RETRY = Duration.ofMillis(500);
    private static final Duration LONGEST_END = Duration.ofSeconds(3);
    private static final long NEXT_CHANGE_MILLIS = 5;

    /** Between two batches while events keep coming: each costs Kafka and PostgreSQL as much as a large one. */
    private static final long PACE_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    private final KafkaSettings kafka;
    private final AdvisoryLock lock;
    private final EventFlow flow;
    private final Loop loop = new Loop(
            "outbox-relay",
            this::carry,
            RETRY,
            new Outage(LOG, "Events wait in the outbox", "Events flow from the outbox again"));
    private EventPublisher publisher;
    private LockedOutbox outbox;
    private long nextBatchAt = System.nanoTime();

    OutboxRelay(KafkaSettings kafka, DatabaseSettings database, ChangeFeed feed, EventFlow flow) {
        this.kafka = kafka;
        this.flow = flow;
        this.lock = new AdvisoryLock(database.parsed(), "outbox");
        feed.listen(new ChangeFeed.Listener() {
            @Override
            public void changed(String id) {
                loop.wake();
            }

            @Override
            public void reconnected() {
                loop.wake();
            }
        });
    }

    @PostConstruct
    void start() {
        loop.start();
    }

    private Duration carry() throws SQLException, InterruptedException {
        try {
            if (lock.holds()) {
                drain();
            } else {
                dropPublisher();
            }
            flow.delivered();
            return LOOK_EVERY;
        } catch (SQLException | RuntimeException failed) {
            // Whether Kafka has the batch is not known: it is sent again.
            drop();
            throw failed;
        }
    }

    private void drain() throws SQLException, InterruptedException {
        if (outbox == null || !outbox.isOn(lock.session())) {
            outbox = LockedOutbox.on(lock.session());
        }
        while (!loop.isStopping()) {
            TimeUnit.NANOSECONDS.sleep(nextBatchAt - System.nanoTime());
            var batch = durable(outbox);
            if (batch.isEmpty()) {
                return;
            }
            boolean isFull = batch.size() == LockedOutbox.BATCH;
            nextBatchAt = System.nanoTime() + (isFull ? 0 : PACE_NANOS);
            flow.waiting();
            FaultPoint.AFTER_OUTBOX_COMMIT.pass();
            if (publisher == null) {
                EventTopic.ensure(kafka);
                publisher = new EventPublisher(kafka.clientProperties(), kafka.getTopic());
            }
            publisher.publish(batch);
            FaultPoint.AFTER_KAFKA_ACK.pass();
            outbox.markPublished(batch);
            flow.delivered();
        }
    }

    /**
     * A new sandbox's row is not waited for on the disk. Mostly the next change of the same sandbox follows at
     * once and takes it there, and its events go along.
     */
    private static List<EventRow> durable(LockedOutbox outbox) throws SQLException, InterruptedException {
        var batch = outbox.unpublished();
        if (batch.events().isEmpty() || outbox.isDurable(batch)) {
            return batch.events();
        }
        TimeUnit.MILLISECONDS.sleep(NEXT_CHANGE_MILLIS);
        var grown = outbox.unpublished();
        if (outbox.isDurable(grown)) {
            return grown.events();
        }
        if (!outbox.isDurable(batch)) {
            outbox.makeDurable();
        }
        return batch.events();
    }

    private void drop() {
        dropPublisher();
        lock.drop();
    }

    private void dropPublisher() {
        if (publisher != null) {
            publisher.close();
            publisher = null;
        }
    }

    @PreDestroy
    void close() {
        loop.finish(LONGEST_END);
        drop();
    }
}
