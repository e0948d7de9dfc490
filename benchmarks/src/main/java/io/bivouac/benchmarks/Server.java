package io.bivouac.benchmarks;

import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** The distribution as a process of its own, as a user starts it. */
final class Server implements AutoCloseable {
    static final Path DISTRIBUTION = Path.of("launcher/target/bivouac").toAbsolutePath();

    static final String KEY = "bvk_benchmarks000000000000000000000000000";
    private static final int LONGEST_START_SECONDS = 120;
    private static final int LONGEST_STOP_SECONDS = 60;
    private static final int ASK_EVERY_MILLIS = 5;

    private final Process process;
    private final Path output;
    private final int port;
    private final double startSeconds;

    private Server(Process process, Path output, int port, long begun) throws IOException, InterruptedException {
        this.process = process;
        this.output = output;
        this.port = port;
        Cleanup.expect(this);
        awaitReady();
        startSeconds = (System.nanoTime() - begun) / 1e9;
    }

    static Server start(Path data) throws IOException, InterruptedException {
        return start(data, Map.of());
    }

    static Server start(Path data, Map<String, String> settings) throws IOException, InterruptedException {
        int port = freePort();
        var output = data.resolveSibling("server.out");
        var builder = new ProcessBuilder(
                        DISTRIBUTION.resolve("bin/bivouac-server").toString())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile());
        var environment = builder.environment();
        environment.keySet().removeIf(name -> name.startsWith("BIVOUAC_"));
        environment.put("JAVA_HOME", System.getProperty("java.home"));
        environment.put("BIVOUAC_DATA_DIR", data.toString());
        environment.put("BIVOUAC_PORT", Integer.toString(port));
        environment.put("BIVOUAC_API_KEY", KEY);
        environment.putAll(settings);
        long begun = System.nanoTime();
        return new Server(builder.start(), output, port, begun);
    }

    static boolean hasAotCache() {
        return Files.exists(DISTRIBUTION.resolve("lib/server.aot"));
    }

    private static int freePort() throws IOException {
        try (var socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }

    private void awaitReady() throws IOException, InterruptedException {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(LONGEST_START_SECONDS);
        while (!isReady()) {
            if (!process.isAlive() || System.nanoTime() > deadline) {
                close();
                throw new IllegalStateException("the server did not start: " + Files.readString(output));
            }
            Thread.sleep(ASK_EVERY_MILLIS);
        }
    }

    private boolean isReady() {
        try (var connection = connect()) {
            return connection.get("/ready").status() == 200;
        } catch (IOException notYet) {
            return false;
        }
    }

    String url() {
        return "http://127.0.0.1:" + port;
    }

    Connection connect() throws IOException {
        return new Connection(port, KEY);
    }

    TerminalSocket terminal(String path, String protocol) throws IOException {
        return new TerminalSocket(port, KEY, path, protocol);
    }

    /** From the start of its process to the first 200 at /ready. */
    double startSeconds() {
        return startSeconds;
    }

    int port() {
        return port;
    }

    boolean isAlive() {
        return process.isAlive();
    }

    long pid() {
        return process.pid();
    }

    /** PostgreSQL's or Kafka's processes, by a word in the command line of the first one. */
    List<Long> childrenNaming(String word) {
        return process.children()
                .filter(child -> Processes.commandLine(child.pid()).contains(word))
                .flatMap(child -> Processes.withDescendants(child.pid()).stream())
                .toList();
    }

    /** Sandboxes outlive a server: they are deleted first. */
    private void end() {
        if (!process.isAlive()) {
            return;
        }
        try (var connection = connect()) {
            new Sandboxes(connection).deleteAll();
        } catch (IOException | RuntimeException gone) {
            System.err.println("sandboxes may be left: " + gone.getMessage());
        }
        process.destroy();
        try {
            if (!process.waitFor(LONGEST_STOP_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        if (Cleanup.claim(this)) {
            end();
        }
    }
}
