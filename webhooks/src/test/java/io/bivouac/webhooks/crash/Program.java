package io.bivouac.webhooks.crash;

import io.bivouac.foundation.fault.FaultPoint;
import io.bivouac.foundation.fixture.TestStack;
import io.micronaut.core.annotation.Nullable;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A Java program as a process of its own, which may be told where to stand still. */
final class Program implements AutoCloseable {
    private final Process process;
    private final Path marker;
    private final Path log;

    private Program(Process process, Path marker, Path log) {
        this.process = process;
        this.marker = marker;
        this.log = log;
    }

    static Program start(Class<?> main, CrashStack stack, @Nullable FaultPoint stop, Map<String, String> settings)
            throws IOException {
        var name = main.getSimpleName() + "-" + System.nanoTime();
        var marker = stack.folder().resolve(name + ".marker");
        var log = stack.folder().resolve(name + ".log");
        var command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin/java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Xmx192m"));
        if (stop != null) {
            command.addAll(List.of("-Dbivouac.fault=" + stop.wireName(), "-Dbivouac.fault.marker=" + marker));
        }
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
        var builder = new ProcessBuilder(command).redirectError(log.toFile());
        var environment = builder.environment();
        environment.keySet().removeIf(variable -> variable.startsWith("BIVOUAC_"));
        environment.put("BIVOUAC_PORT", "0");
        environment.put("BIVOUAC_DATABASE_URL", stack.postgres().url());
        environment.put("BIVOUAC_KAFKA_BOOTSTRAP", stack.kafka().bootstrap());
        environment.put("BIVOUAC_KAFKA_PROPERTIES", stack.kafkaProperties().toString());
        environment.put("BIVOUAC_ENCRYPTION_KEY", TestStack.ENCRYPTION_KEY);
        environment.put("BIVOUAC_TOKEN_KEY", TestStack.TOKEN_KEY);
        environment.put("BIVOUAC_WEBHOOK_ALLOW", "127.0.0.0/8");
        environment.putAll(settings);
        return new Program(builder.start(), marker, log);
    }

    BufferedReader output() {
        return process.inputReader();
    }

    Writer input() {
        return process.outputWriter();
    }

    boolean isAlive() {
        return process.isAlive();
    }

    /** By its own word: it left the file, which only {@link #release} takes away. */
    boolean standsAt(FaultPoint point) {
        try {
            return process.isAlive()
                    && Files.exists(marker)
                    && Files.readString(marker).equals(point.wireName());
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    void release() throws IOException {
        Files.delete(marker);
    }

    /** As {@code kill -9} does; its exit code. */
    int kill() throws InterruptedException {
        return process.destroyForcibly().waitFor();
    }

    String log() throws IOException {
        return Files.readString(log);
    }

    @Override
    public void close() throws InterruptedException {
        kill();
    }
}
