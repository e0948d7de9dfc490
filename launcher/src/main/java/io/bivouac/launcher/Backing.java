package io.bivouac.launcher;

import io.bivouac.embedded.EmbeddedKafka;
import io.bivouac.embedded.EmbeddedPostgres;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/** The database and the Kafka that the services use: the operator's, or our own children. */
record Backing(String databaseUrl, String kafkaBootstrap, Map<String, String> kafkaProperties) {

    /** Both at once: each of them mostly waits. */
    static Backing start(LauncherSettings settings, DataFolder data, Progress progress, Shutdown shutdown) {
        var keepAlive = KeepAlive.start();
        var database = CompletableFuture.supplyAsync(() ->
                settings.databaseUrl().orElseGet(() -> startPostgres(settings, data, progress, shutdown, keepAlive)));
        var kafka = CompletableFuture.supplyAsync(() -> settings.kafkaBootstrap()
                .map(bootstrap -> new Kafka(bootstrap, Map.of()))
                .orElseGet(() -> startKafka(settings, data, progress, shutdown, keepAlive)));
        try {
            CompletableFuture.allOf(database, kafka).join();
        } catch (CompletionException failed) {
            if (failed.getCause() instanceof RuntimeException reason) {
                throw reason;
            }
            throw failed;
        } finally {
            shutdown.first(keepAlive::stop);
        }
        return new Backing(
                database.join(), kafka.join().bootstrap(), kafka.join().properties());
    }

    private record Kafka(String bootstrap, Map<String, String> properties) {}

    private static String startPostgres(
            LauncherSettings settings, DataFolder data, Progress progress, Shutdown shutdown, KeepAlive keepAlive) {
        long started = System.nanoTime();
        var postgres = EmbeddedPostgres.start(data.resolve("postgres"), settings.databasePort());
        shutdown.first(postgres::close);
        keepAlive.watch("PostgreSQL", postgres::isAlive, postgres::restart);
        progress.done(
                "PostgreSQL %s on 127.0.0.1:%d".formatted(postgres.version().split("\\.")[0], postgres.port()),
                started);
        return postgres.url();
    }

    private static Kafka startKafka(
            LauncherSettings settings, DataFolder data, Progress progress, Shutdown shutdown, KeepAlive keepAlive) {
        long started = System.nanoTime();
        var kafka = EmbeddedKafka.start(data.resolve("kafka"), settings.kafkaPort());
        shutdown.first(kafka::close);
        keepAlive.watch("Kafka", kafka::isAlive, kafka::restart);
        progress.done("Kafka on " + kafka.bootstrap(), started);
        return new Kafka(kafka.bootstrap(), kafka.clientProperties());
    }
}
