package io.bivouac.webhooks.dispatch;

import io.bivouac.webhooks.delivery.EventMessage;
import io.bivouac.webhooks.endpoint.Endpoint;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Records that were read and are not routed yet. The reader's thread only. */
final class Batch {
    private static final Logger LOG = LoggerFactory.getLogger(Batch.class);

    private final Deque<ConsumerRecord<byte[], byte[]>> records = new ArrayDeque<>();
    private EventMessage event;
    private PartitionProgress.Record begun;
    private Iterator<Endpoint> endpoints = List.<Endpoint>of().iterator();
    private Endpoint held;
    private boolean unmatched;

    void add(ConsumerRecords<byte[], byte[]> read) {
        read.forEach(records::addLast);
        unmatched |= !read.isEmpty();
    }

    /** Whether there are records that were read after the endpoints were last looked at. */
    boolean isUnmatched() {
        return unmatched;
    }

    /** The endpoints have been looked at. */
    void matchable() {
        unmatched = false;
    }

    boolean isEmpty() {
        return records.isEmpty() && held == null && !endpoints.hasNext();
    }

    /** Routes until all is done or somebody has to be waited for. */
    void route(Router router, Map<TopicPartition, PartitionProgress> progress) {
        while (true) {
            while (held != null || endpoints.hasNext()) {
                held = held == null ? endpoints.next() : held;
                if (!router.route(held, event, begun)) {
                    return;
                }
                held = null;
            }
            if (records.isEmpty() || router.isFull() || !next(router, progress)) {
                return;
            }
        }
    }

    private boolean next(Router router, Map<TopicPartition, PartitionProgress> progress) {
        var record = records.getFirst();
        var partition = progress.get(new TopicPartition(record.topic(), record.partition()));
        if (partition.isFull()) {
            return false;
        }
        records.removeFirst();
        var read = ConsumedEvent.of(record);
        if (read.isEmpty()) {
            LOG.warn("Offset {} of {}-{} is no event", record.offset(), record.topic(), record.partition());
            partition.begin(record.offset(), 0);
            return true;
        }
        event = read.get();
        var wanted = router.endpointsFor(event);
        begun = partition.begin(record.offset(), wanted.size());
        endpoints = wanted.iterator();
        return true;
    }

    /** They are another reader's now, who begins at the last committed offset. */
    void forget(Collection<TopicPartition> partitions) {
        records.removeIf(record -> partitions.contains(new TopicPartition(record.topic(), record.partition())));
    }
}
