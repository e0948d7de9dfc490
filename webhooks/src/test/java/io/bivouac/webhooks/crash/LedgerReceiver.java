package io.bivouac.webhooks.crash;

import io.bivouac.webhooks.fixture.Libraries;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** A receiver of its own process that verifies with a published library and writes down what it accepts. */
final class LedgerReceiver implements AutoCloseable {
    private final int port;
    private final Path ledger;
    private final Path fail;
    private final List<String> command;
    private final Map<String, String> environment;
    private Process process;

    /** @param sequence of the event's subject */
    record Line(String webhookId, String eventId, String subject, long sequence) {}

    private LedgerReceiver(Path folder, String name, List<String> command, Map<String, String> environment)
            throws IOException {
        this.ledger = Files.createFile(folder.resolve(name + ".ledger"));
        this.fail = folder.resolve(name + ".fail");
        this.command = command;
        this.environment = environment;
        try (var socket = new ServerSocket(0)) {
            port = socket.getLocalPort();
        }
    }

    static LedgerReceiver node(Path folder) throws IOException, InterruptedException {
        var program = Libraries.node().resolve("ledger_receiver.mjs");
        copy("ledger_receiver.mjs", program);
        return new LedgerReceiver(folder, "node", List.of("node", program.toString()), Map.of());
    }

    static LedgerReceiver python(Path folder) throws IOException, InterruptedException {
        var program = folder.resolve("ledger_receiver.py");
        copy("ledger_receiver.py", program);
        return new LedgerReceiver(
                folder,
                "python",
                List.of("python3", program.toString()),
                Map.of("PYTHONPATH", Libraries.python().toString()));
    }

    private static void copy(String resource, Path to) throws IOException {
        try (InputStream in = LedgerReceiver.class.getResourceAsStream("/" + resource)) {
            Files.write(to, in.readAllBytes());
        }
    }

    String url() {
        return "http://127.0.0.1:" + port + "/";
    }

    void start(String secret) throws IOException {
        var builder = new ProcessBuilder(command).inheritIO();
        builder.environment().putAll(environment);
        builder.environment().put("PORT", Integer.toString(port));
        builder.environment().put("WEBHOOK_SECRET", secret);
        builder.environment().put("LEDGER", ledger.toString());
        builder.environment().put("FAIL", fail.toString());
        process = builder.start();
    }

    void refuse() throws IOException {
        Files.createFile(fail);
    }

    void accept() throws IOException {
        Files.deleteIfExists(fail);
    }

    List<Line> lines() throws IOException {
        return Files.readAllLines(ledger).stream()
                .map(line -> {
                    var words = line.split(" ");
                    if (words.length != 4) {
                        throw new AssertionError("the library refused a delivery: " + line);
                    }
                    return new Line(words[0], words[1], words[2], Long.parseLong(words[3]));
                })
                .toList();
    }

    boolean has(Set<String> events) {
        try {
            return lines().stream()
                    .map(Line::eventId)
                    .collect(Collectors.toSet())
                    .containsAll(events);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    @Override
    public void close() throws InterruptedException {
        if (process != null) {
            process.destroyForcibly().waitFor();
        }
    }
}
