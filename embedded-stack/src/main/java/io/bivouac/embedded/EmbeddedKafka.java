package io.bivouac.embedded;

import static java.nio.file.attribute.PosixFilePermissions.fromString;

import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A Kafka broker of our own, as a child process. Thread-safe. */
public final class EmbeddedKafka implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger("kafka");
    private static final Duration LONGEST_START = Duration.ofSeconds(60);
    private static final Duration LONGEST_STOP = Duration.ofSeconds(Long.getLong("bivouac.shutdown.seconds", 10));

    private final Path folder;
    private final KafkaSettings settings;
    private ChildProcess child;
    private CompletableFuture<Boolean> ready;

    private EmbeddedKafka(Path folder, KafkaSettings settings) {
        this.folder = folder;
        this.settings = settings;
    }

    /** Starts a broker on the data in this folder, made on first use; port 0 takes any free one. */
    public static EmbeddedKafka start(Path folder, int port) {
        var kafka = begin(folder, port);
        kafka.awaitReady();
        return kafka;
    }

    /** The same, without waiting: address and credentials are known before the broker answers. */
    public static EmbeddedKafka begin(Path folder, int port) {
        try {
            var home = EmbeddedFolder.create(folder);
            Files.setPosixFilePermissions(home, fromString("rwx------"));
            var password = PrivateFiles.password(home.resolve("password"));
            int clients = Ports.choose(port, "Kafka");
            var settings = new KafkaSettings(home.resolve("logs"), clients, Ports.chooseOtherThan(clients), password);
            var kafka = new EmbeddedKafka(home, settings);
            kafka.startBroker();
            return kafka;
        } catch (IOException e) {
            throw new EmbeddedStackException("Kafka cannot use %s: %s".formatted(folder, e.getMessage()), e);
        }
    }

    /** {@code host:port}. */
    public String bootstrap() {
        return settings.bootstrap();
    }

    public int port() {
        return settings.port();
    }

    /** The properties that make a client of Kafka's library connect as us. */
    public Map<String, String> clientProperties() {
        return settings.clientProperties();
    }

    public synchronized boolean isAlive() {
        return child.isAlive();
    }

    /** Done when the process that runs now has ended. */
    public synchronized CompletableFuture<?> end() {
        return child.end();
    }

    /** Starts it again after it died, with the same port, password and data. */
    public void restart() {
        try {
            synchronized (this) {
                child.stop(LONGEST_STOP);
                startBroker();
            }
            awaitReady();
        } catch (IOException e) {
            throw new EmbeddedStackException("Kafka cannot start again: " + e.getMessage(), e);
        }
    }

    @Override
    public synchronized void close() {
        child.stop(LONGEST_STOP);
    }

    /** Returns when clients may connect. */
    public void awaitReady() {
        try {
            if (!readiness().get(LONGEST_START.toMillis(), TimeUnit.MILLISECONDS)) {
                throw new EmbeddedStackException(
                        "Kafka stopped while starting on port %d:%n%s".formatted(settings.port(), lastWords()));
            }
        } catch (TimeoutException | ExecutionException e) {
            close();
            throw new EmbeddedStackException(
                    "Kafka was not ready within %d s:%n%s".formatted(LONGEST_START.toSeconds(), lastWords()), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            close();
            throw new EmbeddedStackException("interrupted while Kafka started", e);
        }
    }

    private synchronized CompletableFuture<Boolean> readiness() {
        return ready;
    }

    private synchronized String lastWords() {
        return child.lastWords();
    }

    private synchronized void startBroker() throws IOException {
        var properties = new StringWriter();
        settings.serverProperties().store(properties, null);
        PrivateFiles.write(folder.resolve("server.properties"), properties.toString());
        var started = new CompletableFuture<Boolean>();
        child = ChildProcess.start(KafkaCommand.of(folder), KafkaCommand.ENVIRONMENT, line -> {
            if (line.equals(KafkaProgram.READY)) {
                started.complete(true);
            } else {
                log.info(line);
            }
        });
        child.process().onExit().thenRun(() -> started.complete(false));
        ready = started;
    }
}
