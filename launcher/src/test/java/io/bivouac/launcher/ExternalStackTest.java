package io.bivouac.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import io.bivouac.embedded.EmbeddedKafka;
import io.bivouac.embedded.EmbeddedPostgres;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Properties;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A server that is given a database and a Kafka starts none of its own. */
class ExternalStackTest {
    @TempDir
    Path folder;

    @Test
    void theOperatorsPostgresAndKafkaAreUsed() throws Exception {
        var data = folder.resolve("data");
        try (var postgres = EmbeddedPostgres.start(folder.resolve("postgres"), 0);
                var kafka = EmbeddedKafka.start(folder.resolve("kafka"), 0)) {
            var login = folder.resolve("kafka.properties");
            var properties = new Properties();
            properties.putAll(kafka.clientProperties());
            try (var writer = Files.newBufferedWriter(login)) {
                properties.store(writer, null);
            }
            var settings = Map.of(
                    "BIVOUAC_DATABASE_URL", postgres.url(),
                    "BIVOUAC_KAFKA_BOOTSTRAP", kafka.bootstrap(),
                    "BIVOUAC_KAFKA_PROPERTIES", login.toString());
            try (var server = ServerProcess.start(data, settings).awaitReady()) {
                try (var client = HttpClient.newHttpClient()) {
                    var ready = client.send(
                            HttpRequest.newBuilder(URI.create(server.valueOf("Console") + "/ready"))
                                    .build(),
                            BodyHandlers.ofString());
                    assertThat(ready.statusCode()).as(ready.body()).isEqualTo(200);
                }
                assertThat(data.resolve("postgres")).doesNotExist();
                assertThat(data.resolve("kafka")).doesNotExist();
                server.terminate();
                server.awaitExit();
            }
        }
    }
}
