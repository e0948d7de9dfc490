package io.bivouac.webhooks.dispatch;

import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.WakeupException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The partitions that are ours, and how far each is settled. The reader's thread only. */
final class Offsets implements ConsumerRebalanceListener {
    private static final Logger LOG = LoggerFactory.getLogger(Offsets.class);
    private static final long COMMIT_EVERY = TimeUnit.MILLISECONDS.toNanos(200);
    private static final long POLL_EVERY = TimeUnit.MILLISECONDS.toNanos(200);
    private static final Duration COMMIT_WITHIN = Duration.ofSeconds(2);

    private final KafkaConsumer<byte[], byte[]> consumer;
    private final Batch batch;
    private final Map<TopicPartition, PartitionProgress> progress = new HashMap<>();
    private final Map<TopicPartition, Long> committed = new HashMap<>();
    private long committedAt = System.nanoTime();
    private long polledAt = System.nanoTime();

    Offsets(KafkaConsumer<byte[], byte[]> consumer, Batch batch) {
        this.consumer = consumer;
        this.batch = batch;
    }

    Map<TopicPartition, PartitionProgress> progress() {
        return progress;
    }

    /** Kafka expects to be asked now and then, also by somebody who wants nothing at the moment. */
    void pollWhileHolding() {
        if (System.nanoTime() - polledAt > POLL_EVERY) {
            consumer.pause(consumer.assignment());
            batch.add(consumer.poll(Duration.ZERO));
            polledAt = System.nanoTime();
        }
    }

    void commitNowAndThen() {
        long now = System.nanoTime();
        if (now - committedAt > COMMIT_EVERY) {
            committedAt = now;
            var due = due();
            if (!due.isEmpty()) {
                consumer.commitAsync(due, (offsets, failure) -> {
                    if (failure == null) {
                        offsets.forEach((partition, offset) -> committed.put(partition, offset.offset()));
                    } else {
                        LOG.debug("Offsets are committed later: {}", failure.getMessage());
                    }
                });
            }
        }
    }

    /** Whether Kafka has confirmed the last offset of all that was read. */
    boolean areAllCommitted() {
        return progress.values().stream().allMatch(PartitionProgress::isSettled) && due().isEmpty();
    }

    void commitNow() {
        try {
            consumer.commitSync(due(), COMMIT_WITHIN);
        } catch (WakeupException stopping) {
            // It came between two polls, and is said only once.
            commitNow();
        } catch (KafkaException later) {
            LOG.warn("Some events will be sent again, their offsets could not be committed: {}", later.getMessage());
        }
    }

    private Map<TopicPartition, OffsetAndMetadata> due() {
        var due = new HashMap<TopicPartition, OffsetAndMetadata>();
        progress.forEach((partition, how) -> {
            long offset = how.committable();
            if (committed.getOrDefault(partition, -1L) != offset) {
                due.put(partition, new OffsetAndMetadata(offset));
            }
        });
        return due;
    }

    @Override
    public void onPartitionsAssigned(Collection<TopicPartition> partitions) {
        for (var partition : partitions) {
            long position = consumer.position(partition);
            progress.put(partition, new PartitionProgress(position));
            committed.put(partition, position);
        }
    }

    @Override
    public void onPartitionsRevoked(Collection<TopicPartition> partitions) {
        commitNow();
        onPartitionsLost(partitions);
    }

    @Override
    public void onPartitionsLost(Collection<TopicPartition> partitions) {
        batch.forget(partitions);
        progress.keySet().removeAll(partitions);
        committed.keySet().removeAll(partitions);
    }
}
