package io.bivouac.launcher;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** A server as a process of its own, as a user starts it: by the distribution's script. */
final class ServerProcess implements AutoCloseable {
    /** The build's own: these tests run when it has been made. */
    static final Path DISTRIBUTION = Path.of("target/bivouac").toAbsolutePath();

    private static final Duration PATIENCE = Duration.ofMinutes(5);

    /** The machine may be slow: a stop that is cut short says nothing of what a whole one leaves behind. */
    private static final String LONGEST_STOP = "-Dbivouac.shutdown.seconds=60";

    private final Process process;
    private final Path output;

    private ServerProcess(Process process, Path output) {
        this.process = process;
        this.output = output;
    }

    static ServerProcess start(Path dataDir, Map<String, String> settings, String... arguments) throws IOException {
        return start(List.of(), DISTRIBUTION, dataDir, settings, arguments);
    }

    /** With a command in front, one that changes the user, say, and from another place than the build's. */
    static ServerProcess start(
            List<String> prefix, Path distribution, Path dataDir, Map<String, String> settings, String... arguments)
            throws IOException {
        var output = Files.createTempFile("bivouac-server", ".out");
        var command = new ArrayList<>(prefix);
        command.add(distribution.resolve("bin/bivouac-server").toString());
        command.addAll(List.of(arguments));
        var builder = new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output.toFile());
        builder.environment().keySet().removeIf(name -> name.startsWith(SettingSource.PREFIX));
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        builder.environment().put("BIVOUAC_DATA_DIR", dataDir.toString());
        builder.environment().put("BIVOUAC_PORT", "0");
        // A killed server leaves those that were started ahead to its successor, which most tests do not start.
        builder.environment().put("BIVOUAC_WARM_SANDBOXES", "0");
        builder.environment().put("BIVOUAC_JAVA_OPTIONS", LONGEST_STOP);
        builder.environment().putAll(settings);
        return new ServerProcess(builder.start(), output);
    }

    String output() throws IOException {
        return Files.readString(output);
    }

    /** The rest of the first line that starts like this. */
    String valueOf(String label) throws IOException {
        return output().lines()
                .filter(line -> line.strip().startsWith(label))
                .map(line -> line.strip().substring(label.length()).strip())
                .findFirst()
                .orElseThrow(() -> new AssertionError("expected a line \"" + label + "\", seen:\n" + read()));
    }

    ServerProcess awaitReady() throws InterruptedException {
        await("the server is ready", () -> read().contains("Make a sandbox:") || !process.isAlive());
        if (!process.isAlive()) {
            throw new AssertionError("expected a server that runs, seen:\n" + read());
        }
        return this;
    }

    /** What it printed, and whether it lives. */
    String lastWords() {
        return "%s%nprocess %d %s%n".formatted(read(), process.pid(), process.isAlive() ? "lives" : "has ended");
    }

    int awaitExit() throws InterruptedException {
        if (!process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
            throw new AssertionError("expected the server to end, seen:\n" + read());
        }
        return process.exitValue();
    }

    long pid() {
        return process.pid();
    }

    /** Whether a file is part of the process's memory. */
    boolean maps(Path file) throws IOException {
        return Files.readString(Path.of("/proc/" + process.pid() + "/maps")).contains(file.toString());
    }

    void terminate() {
        process.destroy();
    }

    void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    @Override
    public void close() throws IOException, InterruptedException {
        kill();
        Files.deleteIfExists(output);
    }

    static void awaitNoChildOf(Path dataDir) throws InterruptedException {
        await("no process of " + dataDir, () -> childrenOf(dataDir).isEmpty());
    }

    static List<Long> childrenOf(Path dataDir) {
        return ProcessHandle.allProcesses()
                .map(ProcessHandle::pid)
                .filter(pid -> commandLine(pid).contains(dataDir.toString()))
                .toList();
    }

    static void await(String what, BooleanSupplier condition) throws InterruptedException {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > deadline) {
                throw new AssertionError("expected within %s: %s".formatted(PATIENCE, what));
            }
            Thread.sleep(20);
        }
    }

    private String read() {
        try {
            return output();
        } catch (IOException e) {
            return "";
        }
    }

    private static String commandLine(long pid) {
        try {
            return Files.readString(Path.of("/proc/" + pid + "/cmdline"));
        } catch (IOException e) {
            return ""; // it has just ended
        }
    }
}
