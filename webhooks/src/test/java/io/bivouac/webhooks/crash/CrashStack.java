package io.bivouac.webhooks.crash;

import io.bivouac.embedded.EmbeddedKafka;
import io.bivouac.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Comparator;
import java.util.Map;
import java.util.Properties;

/** A PostgreSQL and a Kafka that may be killed: nobody else uses them. */
record CrashStack(Path folder, EmbeddedPostgres postgres, EmbeddedKafka kafka, Path kafkaProperties)
        implements AutoCloseable {
    /** With more properties for Kafka's clients. */
    static CrashStack start(Map<String, String> clientProperties) throws IOException {
        var folder = Files.createTempDirectory("bivouac-ledger-");
        // PostgreSQL may run as another user than the tests.
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        var postgres = EmbeddedPostgres.start(folder.resolve("postgres"), 0);
        var kafka = EmbeddedKafka.start(folder.resolve("kafka"), 0);
        var properties = new Properties();
        properties.putAll(kafka.clientProperties());
        properties.putAll(clientProperties);
        var file = folder.resolve("kafka.properties");
        try (Writer writer = Files.newBufferedWriter(file)) {
            properties.store(writer, null);
        }
        return new CrashStack(folder, postgres, kafka, file);
    }

    void killPostgres() {
        kill("postgres");
        postgres.restart();
    }

    void killKafka() {
        kill("kafka");
        kafka.restart();
    }

    /** The process that has the data folder in its command line; its children end with it. */
    private void kill(String part) {
        var data = folder.resolve(part).toString();
        var killed = ProcessHandle.allProcesses()
                .filter(process -> commandLine(process).contains(data))
                .peek(ProcessHandle::destroyForcibly)
                .toList();
        if (killed.isEmpty()) {
            throw new AssertionError("no process of " + data);
        }
        killed.forEach(process -> process.onExit().join());
    }

    private static String commandLine(ProcessHandle process) {
        try {
            return Files.readString(Path.of("/proc", Long.toString(process.pid()), "cmdline"));
        } catch (IOException gone) {
            return "";
        }
    }

    @Override
    public void close() throws IOException {
        kafka.close();
        postgres.close();
        try (var files = Files.walk(folder)) {
            files.sorted(Comparator.reverseOrder())
                    .forEach(file -> file.toFile().delete());
        }
    }
}
