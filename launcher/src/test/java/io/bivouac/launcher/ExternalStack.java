package io.bivouac.launcher;

import io.bivouac.embedded.EmbeddedKafka;
import io.bivouac.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Properties;

/** A PostgreSQL and a Kafka as an operator would have them, for servers that start none of their own. */
record ExternalStack(EmbeddedPostgres postgres, EmbeddedKafka kafka, Path login) implements AutoCloseable {
    static ExternalStack start(Path folder) throws IOException {
        var postgres = EmbeddedPostgres.start(folder.resolve("postgres"), 0);
        try {
            var kafka = EmbeddedKafka.start(folder.resolve("kafka"), 0);
            var login = folder.resolve("kafka.properties");
            var properties = new Properties();
            properties.putAll(kafka.clientProperties());
            try (var writer = Files.newBufferedWriter(login)) {
                properties.store(writer, null);
            }
            return new ExternalStack(postgres, kafka, login);
        } catch (IOException | RuntimeException failed) {
            postgres.close();
            throw failed;
        }
    }

    Map<String, String> settings() {
        return Map.of(
                "BIVOUAC_DATABASE_URL", postgres.url(),
                "BIVOUAC_KAFKA_BOOTSTRAP", kafka.bootstrap(),
                "BIVOUAC_KAFKA_PROPERTIES", login.toString());
    }

    @Override
    public void close() {
        kafka.close();
        postgres.close();
    }
}
