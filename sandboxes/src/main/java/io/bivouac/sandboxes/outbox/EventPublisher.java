package io.bivouac.sandboxes.outbox;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.serialization.StringSerializer;

/**
 * Publishes batches to Kafka, each as one transaction under one name for the whole installation: a publisher
 * that lost its lock to another is fenced off by Kafka and cannot put old events after newer ones. Not
 * thread-safe.
 */
final class EventPublisher implements AutoCloseable {
    private static final Duration CLOSE_WITHIN = Duration.ofSeconds(2);

    private final KafkaProducer<String, String> producer;
    private final String topic;

    EventPublisher(Map<String, Object> clientProperties, String topic, String installation) {
        var properties = new HashMap<>(clientProperties);
        properties.put("transactional.id", "bivouac-outbox-" + installation);
        properties.put("acks", "all");
        properties.put("linger.ms", "0");
        properties.put("compression.type", "none");
        properties.put("delivery.timeout.ms", "10000");
        properties.put("request.timeout.ms", "5000");
        properties.put("max.block.ms", "10000");
        properties.put("transaction.timeout.ms", "20000");
        this.topic = topic;
        this.producer = new KafkaProducer<>(properties, new StringSerializer(), new StringSerializer());
        try {
            producer.initTransactions();
        } catch (RuntimeException failed) {
            producer.close(Duration.ZERO);
            throw failed;
        }
    }

    /** Returns once all of them are safe in Kafka; throws if that is not certain. */
    void publish(List<EventRow> batch) {
        producer.beginTransaction();
        for (var event : batch) {
            var record = new ProducerRecord<>(topic, event.subject(), event.envelope());
            addCloudEventsHeaders(record.headers(), event);
            // The commit below fails if any send did.
            var _ = producer.send(record);
        }
        producer.commitTransaction();
    }

    /** CloudEvents 1.0, Kafka binding, binary mode. */
    private static void addCloudEventsHeaders(Headers headers, EventRow event) {
        add(headers, "ce_specversion", "1.0");
        add(headers, "ce_id", event.id());
        add(headers, "ce_type", event.type());
        add(headers, "ce_source", "/projects/" + event.projectId());
        add(headers, "ce_subject", event.subject());
        add(headers, "ce_time", timeOf(event.occurredAt()));
        add(headers, "ce_sequence", Long.toString(event.sequence()));
        add(headers, "content-type", "application/json");
    }

    private static String timeOf(Instant at) {
        return DateTimeFormatter.ISO_INSTANT.format(at);
    }

    private static void add(Headers headers, String name, String value) {
        headers.add(name, value.getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public void close() {
        producer.close(CLOSE_WITHIN);
    }
}
