package io.bivouac.launcher;

import io.bivouac.embedded.EmbeddedKafka;
import io.bivouac.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The database and the Kafka that the services use: the operator's, or our own children.
 *
 * @param kafkaReady the services need a database to start, but only the address of Kafka, so that the broker starts
 *     beside them; this is done when it answers
 */
record Backing(
        String databaseUrl,
        String kafkaBootstrap,
        Map<String, String> kafkaProperties,
        CompletableFuture<Void> kafkaReady) {

    static Backing start(LauncherSettings settings, DataFolder data, Progress progress, Shutdown shutdown) {
        var children = new Children(settings, data, progress, shutdown, KeepAlive.start(shutdown));
        if (settings.kafkaBootstrap().isPresent()) {
            return new Backing(
                    children.databaseUrl(),
                    settings.kafkaBootstrap().get(),
                    settings.kafkaProperties().map(Backing::clientProperties).orElse(Map.of()),
                    CompletableFuture.completedFuture(null));
        }
        long started = System.nanoTime();
        var kafka = EmbeddedKafka.begin(data.resolve("kafka"), settings.kafkaPort());
        shutdown.first(kafka::close);
        var ready = CompletableFuture.runAsync(() -> children.awaitKafka(kafka, started));
        return new Backing(children.databaseUrl(), kafka.bootstrap(), kafka.clientProperties(), ready);
    }

    /** A file as Kafka's own programs take it. */
    private static Map<String, String> clientProperties(Path file) {
        var properties = new Properties();
        try (var reader = Files.newBufferedReader(file)) {
            properties.load(reader);
        } catch (IOException unreadable) {
            throw new StartRefused("BIVOUAC_KAFKA_PROPERTIES: %s cannot be read.".formatted(file), unreadable);
        }
        return properties.stringPropertyNames().stream()
                .collect(Collectors.toMap(Function.identity(), properties::getProperty));
    }

    void awaitKafka() {
        try {
            kafkaReady.join();
        } catch (CompletionException failed) {
            throw failed.getCause() instanceof RuntimeException reason ? reason : failed;
        }
    }

    private record Children(
            LauncherSettings settings, DataFolder data, Progress progress, Shutdown shutdown, KeepAlive keepAlive) {

        String databaseUrl() {
            return settings.databaseUrl().orElseGet(this::startPostgres);
        }

        private String startPostgres() {
            long started = System.nanoTime();
            var postgres = EmbeddedPostgres.start(data.resolve("postgres"), settings.databasePort());
            shutdown.first(postgres::close);
            keepAlive.watch("PostgreSQL", postgres::end, postgres::restart);
            var version = postgres.version().split("\\.")[0];
            progress.done("PostgreSQL %s on 127.0.0.1:%d".formatted(version, postgres.port()), started);
            return postgres.url();
        }

        void awaitKafka(EmbeddedKafka kafka, long started) {
            kafka.awaitReady();
            keepAlive.watch("Kafka", kafka::end, kafka::restart);
            progress.done("Kafka on " + kafka.bootstrap(), started);
        }
    }
}
