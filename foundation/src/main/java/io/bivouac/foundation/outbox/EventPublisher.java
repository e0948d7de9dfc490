package io.bivouac.foundation.outbox;

import io.bivouac.events.CloudEventHeaders;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.serialization.StringSerializer;

/**
 * Publishes batches to Kafka, in order and each event once as long as it lives. A batch of a publisher that was
 * cut off may still arrive after its successor's: as a repetition, never as the first to say something. Not
 * thread-safe.
 */
final class EventPublisher implements AutoCloseable {
    private static final Duration CLOSE_WITHIN = Duration.ofSeconds(2);

    private final KafkaProducer<String, String> producer;
    private final String topic;

    EventPublisher(Map<String, Object> clientProperties, String topic) {
        var properties = new HashMap<>(clientProperties);
        properties.put("enable.idempotence", "true");
        properties.put("acks", "all");
        properties.put("linger.ms", "0");
        properties.put("compression.type", "none");
        properties.put("delivery.timeout.ms", "10000");
        properties.put("request.timeout.ms", "5000");
        properties.put("max.block.ms", "10000");
        this.topic = topic;
        this.producer = new KafkaProducer<>(properties, new StringSerializer(), new StringSerializer());
    }

    /** Returns once all of them are safe in Kafka; throws if that is not certain. */
    void publish(List<EventRow> batch) throws InterruptedException {
        var sent = new ArrayList<Future<RecordMetadata>>(batch.size());
        for (var event : batch) {
            var record = new ProducerRecord<>(topic, event.subject(), event.envelope());
            addCloudEventsHeaders(record.headers(), event);
            sent.add(producer.send(record));
        }
        for (var one : sent) {
            await(one);
        }
    }

    private static void addCloudEventsHeaders(Headers headers, EventRow event) {
        add(headers, CloudEventHeaders.SPEC_VERSION, CloudEventHeaders.VERSION);
        add(headers, CloudEventHeaders.ID, event.id());
        add(headers, CloudEventHeaders.TYPE, event.type());
        add(headers, CloudEventHeaders.SOURCE, CloudEventHeaders.sourceOf(event.projectId()));
        add(headers, CloudEventHeaders.SUBJECT, event.subject());
        add(headers, CloudEventHeaders.TIME, timeOf(event.occurredAt()));
        add(headers, CloudEventHeaders.SEQUENCE, Long.toString(event.sequence()));
        add(headers, CloudEventHeaders.CONTENT_TYPE, CloudEventHeaders.JSON);
    }

    private static String timeOf(Instant at) {
        return DateTimeFormatter.ISO_INSTANT.format(at);
    }

    private static void add(Headers headers, String name, String value) {
        headers.add(name, value.getBytes(StandardCharsets.UTF_8));
    }

    private static void await(Future<RecordMetadata> sent) throws InterruptedException {
        try {
            sent.get();
        } catch (ExecutionException failed) {
            throw new KafkaException("Kafka did not take an event", failed.getCause());
        }
    }

    @Override
    public void close() {
        producer.close(CLOSE_WITHIN);
    }
}
