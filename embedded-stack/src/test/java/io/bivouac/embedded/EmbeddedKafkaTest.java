package io.bivouac.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.errors.SaslAuthenticationException;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EmbeddedKafkaTest {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    @TempDir
    Path folder;

    @Test
    void recordsSurviveARestartAndAKill() throws Exception {
        try (var kafka = EmbeddedKafka.start(folder, 0)) {
            send(kafka.clientProperties(), "one");
        }
        Processes.awaitNoneMentioning(folder);
        try (var kafka = EmbeddedKafka.start(folder, 0)) {
            send(kafka.clientProperties(), "two");
            broker().destroyForcibly();
            Processes.await("the broker is dead", () -> !kafka.isAlive());

            kafka.restart();

            assertThat(kafka.isAlive()).isTrue();
            assertThat(read(kafka.clientProperties(), 2)).containsExactly("one", "two");
        }
    }

    @Test
    void onlyOurOwnCredentialLogsIn() throws Exception {
        try (var kafka = EmbeddedKafka.start(folder, 0)) {
            var forged = new HashMap<>(kafka.clientProperties());
            forged.computeIfPresent(
                    "sasl.jaas.config",
                    (name, value) -> value.replaceAll("password=\"[^\"]*\"", "password=\"guessed\""));
            assertThatThrownBy(() -> send(forged, "forged"))
                    .isInstanceOf(ExecutionException.class)
                    .hasCauseInstanceOf(SaslAuthenticationException.class);

            var anonymous = Map.of("bootstrap.servers", kafka.bootstrap(), "max.block.ms", "3000");
            assertThatThrownBy(() -> send(anonymous, "anonymous")).isInstanceOf(ExecutionException.class);
        }
    }

    @Test
    void otherUsersCannotReadItsFiles() throws Exception {
        try (var kafka = EmbeddedKafka.start(folder, 0)) {
            assertThat(kafka.isAlive()).isTrue();
            for (String secret : List.of("password", "server.properties")) {
                assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(folder.resolve(secret))))
                        .isEqualTo("rw-------");
            }
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(folder)))
                    .isEqualTo("rwx------");
            OtherUser.all().forEach(other -> {
                assertThat(other.canRead(folder.resolve("password"))).isFalse();
                assertThat(other.canRead(folder.resolve("server.properties"))).isFalse();
                assertThat(other.canRead(folder.resolve("logs"))).isFalse();
            });
        }
    }

    @Test
    void aTakenPortIsSaidPlainly() throws IOException {
        try (var taken = new ServerSocket(0, 1, InetAddress.ofLiteral("127.0.0.1"))) {
            assertThatThrownBy(() -> EmbeddedKafka.start(folder, taken.getLocalPort()))
                    .isInstanceOf(EmbeddedStackException.class)
                    .hasMessageContaining("Kafka cannot listen on 127.0.0.1:" + taken.getLocalPort());
        }
    }

    private ProcessHandle broker() {
        var line = Processes.mentioning(folder).getFirst();
        return ProcessHandle.of(Long.parseLong(line.substring(0, line.indexOf(' '))))
                .orElseThrow();
    }

    static void send(Map<String, String> properties, String word) throws Exception {
        try (var producer = new KafkaProducer<>(
                new HashMap<String, Object>(properties), new StringSerializer(), new StringSerializer())) {
            producer.send(new ProducerRecord<>("words", word)).get();
        }
    }

    static List<String> read(Map<String, String> properties, int count) {
        var settings = new HashMap<String, Object>(properties);
        settings.put("group.id", "readers");
        settings.put("auto.offset.reset", "earliest");
        var words = new ArrayList<String>();
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        try (var consumer = new KafkaConsumer<>(settings, new StringDeserializer(), new StringDeserializer())) {
            consumer.subscribe(List.of("words"));
            while (words.size() < count && System.nanoTime() < deadline) {
                consumer.poll(Duration.ofMillis(200)).forEach(record -> words.add(record.value()));
            }
        }
        return words;
    }
}
