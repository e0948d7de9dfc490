package io.bivouac.webhooks;

import io.bivouac.foundation.settings.KeyVariable;
import io.micronaut.context.ApplicationContext;
import io.micronaut.runtime.server.EmbeddedServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;

/**
 * The messenger as a program of its own, on a PostgreSQL and a Kafka that are there. Settings come from the
 * environment; the framework reads most of them by itself.
 */
public final class WebhookServer {
    private static final List<String> NEEDED = List.of("BIVOUAC_DATABASE_URL", "BIVOUAC_KAFKA_BOOTSTRAP");

    private WebhookServer() {}

    public static void main(String[] arguments) throws InterruptedException {
        try {
            var missing = missing(System.getenv());
            if (!missing.isEmpty()) {
                System.err.println("Set " + String.join(", ", missing) + ".");
                System.exit(1);
            }
            // Not Micronaut.run: it would take what the command line says for settings.
            var context = ApplicationContext.builder()
                    .properties(properties(System.getenv()))
                    .deduceEnvironment(false)
                    .banner(false)
                    .start();
            Runtime.getRuntime().addShutdownHook(Thread.ofPlatform().unstarted(context::close));
            var server = context.getBean(EmbeddedServer.class).start();
            System.out.println("Webhooks on " + server.getURL());
        } catch (RuntimeException | IOException failed) {
            System.err.println("Webhooks did not start: " + failed.getMessage());
            System.exit(1);
        }
        new CountDownLatch(1).await();
    }

    /** An empty variable counts as none. */
    static List<String> missing(Map<String, String> environment) {
        return Stream.concat(
                        NEEDED.stream()
                                .filter(name ->
                                        environment.getOrDefault(name, "").isBlank()),
                        Stream.of(KeyVariable.values())
                                .filter(key -> key.in(environment::get).isEmpty())
                                .map(KeyVariable::variable))
                .toList();
    }

    private static Map<String, Object> properties(Map<String, String> environment) throws IOException {
        var properties = new HashMap<String, Object>();
        properties.put("micronaut.server.host", environment.getOrDefault("BIVOUAC_HOST", "127.0.0.1"));
        properties.put("micronaut.server.port", environment.getOrDefault("BIVOUAC_PORT", "8080"));
        properties.put("bivouac.kafka.properties", kafkaProperties(environment.get("BIVOUAC_KAFKA_PROPERTIES")));
        return properties;
    }

    /** A file as Kafka's own programs take it. */
    private static Map<String, String> kafkaProperties(String file) throws IOException {
        var properties = new Properties();
        if (file != null) {
            try (var reader = Files.newBufferedReader(Path.of(file))) {
                properties.load(reader);
            }
        }
        var map = new HashMap<String, String>();
        properties.stringPropertyNames().forEach(name -> map.put(name, properties.getProperty(name)));
        return map;
    }
}
