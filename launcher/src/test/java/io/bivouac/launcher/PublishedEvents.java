package io.bivouac.launcher;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;

/** The topic of a data folder's Kafka as a consumer sees it that starts from the first event. */
record PublishedEvents(Map<String, List<Published>> bySandbox) {
    private static final String TOPIC = "bivouac.events";
    private static final String LOGIN =
            "org.apache.kafka.common.security.scram.ScramLoginModule required username=\"bivouac\" password=\"%s\";";

    /** One record, by its CloudEvents headers. */
    record Published(String id, String type, long sequence) {}

    static PublishedEvents of(Path data) throws IOException {
        try (var consumer = new KafkaConsumer<>(properties(data), new StringDeserializer(), new StringDeserializer())) {
            var partitions = consumer.partitionsFor(TOPIC).stream()
                    .map(partition -> new TopicPartition(TOPIC, partition.partition()))
                    .toList();
            consumer.assign(partitions);
            consumer.seekToBeginning(partitions);
            var ends = consumer.endOffsets(partitions);
            var found = new HashMap<String, List<Published>>();
            while (ends.entrySet().stream().anyMatch(end -> consumer.position(end.getKey()) < end.getValue())) {
                for (var event : consumer.poll(Duration.ofMillis(200))) {
                    found.computeIfAbsent(event.key(), _ -> new ArrayList<>()).add(published(event));
                }
            }
            return new PublishedEvents(found);
        }
    }

    /** What is wrong with the order of a sandbox's events; empty when nothing is. */
    List<String> faultsOf(String sandbox, long last) {
        var faults = new ArrayList<String>();
        var ids = new HashMap<Long, String>();
        for (var event : bySandbox.getOrDefault(sandbox, List.of())) {
            if (event.sequence() > ids.size() + 1L) {
                faults.add("expected sequence %d or an earlier one again, seen %s".formatted(ids.size() + 1, event));
            }
            var first = ids.putIfAbsent(event.sequence(), event.id());
            if (first != null && !first.equals(event.id())) {
                faults.add("expected %s again as number %d, seen %s".formatted(first, event.sequence(), event));
            }
        }
        if (ids.size() < last) {
            faults.add("expected %d events, seen %d".formatted(last, ids.size()));
        }
        return faults;
    }

    private static Published published(ConsumerRecord<String, String> event) {
        return new Published(
                header(event, "ce_id"), header(event, "ce_type"), Long.parseLong(header(event, "ce_sequence")));
    }

    private static String header(ConsumerRecord<String, String> event, String name) {
        return new String(event.headers().lastHeader(name).value(), StandardCharsets.UTF_8);
    }

    private static Map<String, Object> properties(Path data) throws IOException {
        var broker = new Properties();
        try (var file = Files.newBufferedReader(data.resolve("kafka/server.properties"))) {
            broker.load(file);
        }
        var address = broker.getProperty("advertised.listeners").replace("CLIENT://", "");
        var password = HostTraces.read(data.resolve("kafka/password")).strip();
        return Map.of(
                "bootstrap.servers", address,
                "security.protocol", "SASL_PLAINTEXT",
                "sasl.mechanism", "SCRAM-SHA-256",
                "sasl.jaas.config", LOGIN.formatted(password),
                "enable.auto.commit", "false");
    }
}
