package io.bivouac.benchmarks;

import io.bivouac.events.CloudEventHeaders;
import io.bivouac.foundation.fixture.TestStack;
import io.bivouac.sandboxmodel.SandboxId;
import io.bivouac.sandboxmodel.SortableId;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.StringSerializer;

/** Puts events of 1 kB on Kafka as the outbox does, without the database work that would make them. */
final class KafkaEvents {
    private static final int SUBJECTS = 500;
    private static final int BYTES = 1024;
    private static final String TOPIC = "bivouac.events";

    private KafkaEvents() {}

    static void put(int count, String project) {
        var kafka = TestStack.get().kafka();
        var properties = new HashMap<String, Object>(kafka.clientProperties());
        properties.put("bootstrap.servers", kafka.bootstrap());
        properties.put("acks", "all");
        properties.put("linger.ms", "20");
        var subjects = new ArrayList<String>();
        for (int i = 0; i < SUBJECTS; i++) {
            subjects.add(SandboxId.next().value());
        }
        try (var producer = new KafkaProducer<>(properties, new StringSerializer(), new StringSerializer())) {
            for (int i = 0; i < count; i++) {
                var _ = producer.send(event(project, subjects.get(i % SUBJECTS), i / SUBJECTS + 1));
            }
            producer.flush();
        }
    }

    private static ProducerRecord<String, String> event(String project, String subject, long sequence) {
        var id = SortableId.next("evt_");
        var head = "{\"id\":\"" + id + "\",\"type\":\"sandbox.running\",\"project\":\"" + project + "\",\"subject\":\""
                + subject + "\",\"sequence\":" + sequence + ",\"data\":{\"padding\":\"";
        var record = new ProducerRecord<>(TOPIC, subject, head + "x".repeat(BYTES - head.length() - 3) + "\"}}");
        Map.of(
                        CloudEventHeaders.ID,
                        id,
                        CloudEventHeaders.TYPE,
                        "sandbox.running",
                        CloudEventHeaders.SOURCE,
                        CloudEventHeaders.sourceOf(project),
                        CloudEventHeaders.SUBJECT,
                        subject)
                .forEach((name, value) -> record.headers().add(name, value.getBytes(StandardCharsets.UTF_8)));
        return record;
    }
}
