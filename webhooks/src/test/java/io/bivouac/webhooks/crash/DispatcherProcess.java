package io.bivouac.webhooks.crash;

import io.bivouac.sandboxes.fault.FaultPoint;
import io.bivouac.sandboxes.fixture.TestStack;
import io.bivouac.webhooks.WebhookServer;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Properties;

/** The messenger as its own program, which may be told where to die. */
final class DispatcherProcess implements AutoCloseable {
    private final Process process;
    private final Path marker;
    private final Path output;

    private DispatcherProcess(Process process, Path marker, Path output) {
        this.process = process;
        this.marker = marker;
        this.output = output;
    }

    static DispatcherProcess start(CrashStack stack, Optional<FaultPoint> fault) throws IOException {
        var marker = stack.folder().resolve("marker-" + System.nanoTime());
        var output = stack.folder().resolve("dispatcher-" + System.nanoTime() + ".out");
        var command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin/java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Xmx192m"));
        fault.ifPresent(point ->
                command.addAll(List.of("-Dbivouac.fault=" + point.wireName(), "-Dbivouac.fault.marker=" + marker)));
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), WebhookServer.class.getName()));
        var builder = new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output.toFile());
        var environment = builder.environment();
        environment.keySet().removeIf(name -> name.startsWith("BIVOUAC_"));
        environment.put("BIVOUAC_PORT", "0");
        environment.put("BIVOUAC_DATABASE_URL", stack.postgres().url());
        environment.put("BIVOUAC_KAFKA_BOOTSTRAP", stack.kafka().bootstrap());
        environment.put("BIVOUAC_KAFKA_PROPERTIES", kafkaProperties(stack).toString());
        environment.put("BIVOUAC_SECRETS_KEY", TestStack.SECRETS_KEY);
        environment.put("BIVOUAC_SECRET_KEY", TestStack.SECRET_KEY);
        environment.put("BIVOUAC_WEBHOOK_ALLOW", "127.0.0.0/8");
        environment.put("BIVOUAC_WEBHOOKS_LEASE", "5s");
        environment.put("BIVOUAC_WEBHOOKS_TIMEOUT", "4s");
        return new DispatcherProcess(builder.start(), marker, output);
    }

    private static Path kafkaProperties(CrashStack stack) throws IOException {
        var properties = new Properties();
        properties.putAll(stack.kafka().clientProperties());
        var file = stack.folder().resolve("kafka.properties");
        try (Writer writer = Files.newBufferedWriter(file)) {
            properties.store(writer, null);
        }
        return file;
    }

    boolean isAlive() {
        return process.isAlive();
    }

    /** The point at which it died, by its own last word. */
    String diedAt() throws IOException {
        return Files.exists(marker) ? Files.readString(marker).strip() : "nowhere: " + Files.readString(output);
    }

    int exitCode() {
        return process.exitValue();
    }

    String output() throws IOException {
        return Files.readString(output);
    }

    void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    @Override
    public void close() throws InterruptedException {
        kill();
    }
}
