package io.bivouac.embedded;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Properties;
import kafka.server.KafkaConfig;
import kafka.server.KafkaRaftServer;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.metadata.storage.Formatter;
import org.apache.kafka.server.common.Feature;
import org.apache.kafka.server.common.MetadataVersion;

/**
 * The child's main: a Kafka broker that runs until its standard input ends.
 *
 * <p>Its one argument is the folder with {@code server.properties} and {@code password}; secrets are never arguments.
 */
final class KafkaProgram {
    /** What it prints when clients may connect. */
    static final String READY = "KAFKA READY";

    /** A broker that stops cleanly needs no recovery at its next start, but it may not keep its parent waiting. */
    private static final Duration LONGEST_STOP = Duration.ofSeconds(Long.getLong("bivouac.shutdown.seconds", 5));

    /** The broker of a parent that was killed may still be stopping. */
    private static final Duration LONGEST_WAIT_FOR_PREDECESSOR = Duration.ofSeconds(15);

    private KafkaProgram() {}

    public static void main(String[] arguments) throws Exception {
        var folder = Path.of(arguments[0]);
        var watcher = Thread.ofPlatform().daemon().name("lifeline").unstarted(KafkaProgram::exitWhenInputEnds);
        watcher.start();
        try (var channel =
                FileChannel.open(folder.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            awaitLock(channel);
            var properties = new Properties();
            try (var reader = Files.newBufferedReader(folder.resolve("server.properties"))) {
                properties.load(reader);
            }
            format(folder, properties.getProperty("log.dirs"));
            var server = new KafkaRaftServer(KafkaConfig.fromProps(properties), Time.SYSTEM);
            Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(server)));
            server.startup();
            System.out.println(READY);
            server.awaitShutdown();
        }
    }

    private static void exitWhenInputEnds() {
        try {
            while (System.in.read() >= 0) {}
        } catch (IOException e) {
            // A broken pipe says the same as its end.
        }
        Thread.ofPlatform().daemon().start(() -> {
            try {
                Thread.sleep(LONGEST_STOP);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            Runtime.getRuntime().halt(1);
        });
        System.exit(0);
    }

    private static void stop(KafkaRaftServer server) {
        server.shutdown();
        server.awaitShutdown();
    }

    private static FileLock awaitLock(FileChannel channel) throws IOException, InterruptedException {
        long deadline = System.nanoTime() + LONGEST_WAIT_FOR_PREDECESSOR.toNanos();
        for (var lock = channel.tryLock(); ; lock = channel.tryLock()) {
            if (lock != null) {
                return lock;
            }
            if (System.nanoTime() > deadline) {
                System.out.println("another Kafka still uses this folder");
                System.exit(1);
            }
            Thread.sleep(20);
        }
    }

    /** Once for a folder; what an interrupted attempt left is thrown away. */
    private static void format(Path folder, String logs) throws Exception {
        var done = folder.resolve("formatted");
        if (Files.exists(done)) {
            return;
        }
        PrivateFiles.deleteTree(Path.of(logs));
        var password = PrivateFiles.password(folder.resolve("password"));
        new Formatter()
                .setPrintStream(
                        new PrintStream(OutputStream.nullOutputStream())) // it would print the credential's salt
                .setNodeId(KafkaSettings.NODE)
                .setClusterId(Uuid.randomUuid().toString())
                .setDirectories(List.of(logs))
                .setMetadataLogDirectory(logs)
                .setControllerListenerName("CONTROLLER")
                .setSupportedFeatures(Arrays.asList(Feature.PRODUCTION_FEATURES.toArray(Feature[]::new)))
                .setReleaseVersion(MetadataVersion.LATEST_PRODUCTION)
                .setScramArguments(List.of(
                        "%s=[name=%s,password=%s]".formatted(KafkaSettings.MECHANISM, KafkaSettings.USER, password)))
                .run();
        PrivateFiles.write(done, "");
    }
}
