package io.bivouac.agentlink.testing;

import io.bivouac.sandboxmodel.SandboxId;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The real agent as an ordinary process of this machine. */
public final class RealAgent implements AutoCloseable {
    private static final List<String> BUILDS = List.of(
            "../agent/target/x86_64-unknown-linux-gnu/release/bivouac-agent",
            "../agent/target/x86_64-unknown-linux-gnu/debug/bivouac-agent",
            "../agent/target/release/bivouac-agent",
            "../agent/target/debug/bivouac-agent");

    private final Process process;
    private final Path folder;

    private RealAgent(Process process, Path folder) {
        this.process = process;
        this.folder = folder;
    }

    public static RealAgent start(Path sockets, SandboxId id, String token) {
        return start(sockets, id, token, "{}");
    }

    /** With other limits than the usual ones, as JSON. */
    public static RealAgent start(Path sockets, SandboxId id, String token, String limits) {
        return startAt("{\"socketFolder\": \"%s\"}".formatted(sockets), id, token, limits);
    }

    /** @param relay where the relay is, as the agent's configuration has it */
    public static RealAgent startAt(String relay, SandboxId id, String token, String limits) {
        try {
            var folder = Files.createTempDirectory("relay-agent");
            var workspace = Files.createDirectory(folder.resolve("workspace"));
            // A home of its own: what this machine's own shell start-up files do is no part of the tests.
            var home = Files.createDirectory(folder.resolve("home"));
            Files.writeString(folder.resolve("token"), token);
            Files.writeString(folder.resolve("agent.json"), """
                    {"sandboxId": "%s", "tokenFile": "%s/token", "relay": %s,
                     "cwd": "%s", "env": {"PATH": "/usr/bin:/bin", "HOME": "%s", "BASE": "base"},
                     "logFile": "%s/agent.jsonl", "limits": %s, "askSocket": "%s", "egressPort": 0}""".formatted(
                            id, folder, relay, workspace, home, folder, limits, askSocket(id)));
            var process = new ProcessBuilder(
                            binary().toString(),
                            "serve",
                            "--config",
                            folder.resolve("agent.json").toString())
                    .redirectErrorStream(true)
                    .redirectOutput(folder.resolve("agent.out").toFile())
                    .redirectInput(
                            ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
                    .start();
            return new RealAgent(process, folder);
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    /** The agents of the tests share one network namespace, so each has a name of its own to ask at. */
    private static String askSocket(SandboxId id) {
        return "bivouac-ask-" + id;
    }

    /** How a program asks for permission there. */
    public static String ask(SandboxId id) {
        return binary().toAbsolutePath().normalize() + " ask --socket " + askSocket(id);
    }

    private static Path binary() {
        var named = System.getProperty("bivouac.agent.binary", System.getenv("BIVOUAC_AGENT_BINARY"));
        if (named != null) {
            return Path.of(named);
        }
        return BUILDS.stream()
                .map(Path::of)
                .filter(Files::isExecutable)
                .findFirst()
                .orElseThrow(() -> new IllegalStateException(
                        "These tests need the agent. Build it first (cargo build --release in agent/),"
                                + " or name it by -Dbivouac.agent.binary or BIVOUAC_AGENT_BINARY."));
    }

    public Path workspace() {
        return folder.resolve("workspace");
    }

    /** Its log, and what else it may have left in its folder. */
    public String everythingWritten() {
        try (var files = Files.walk(folder)) {
            var all = new StringBuilder();
            for (var file : files.filter(Files::isRegularFile).toList()) {
                all.append(new String(Files.readAllBytes(file), java.nio.charset.StandardCharsets.ISO_8859_1));
            }
            return all.toString();
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    public long pid() {
        return process.pid();
    }

    public void signal(String name) {
        try {
            new ProcessBuilder("kill", "-" + name, Long.toString(pid())).start().waitFor();
        } catch (IOException | InterruptedException failed) {
            throw new IllegalStateException(failed);
        }
    }

    @Override
    public void close() {
        signal("CONT");
        process.destroy();
        try {
            if (!process.waitFor(10, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }
}
