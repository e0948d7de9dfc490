package io.bivouac.sandboxes.egress;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Asks a tool of this machine how it is configured. Immutable. */
final class ToolOutput {
    private static final Logger LOG = LoggerFactory.getLogger(ToolOutput.class);
    private static final Duration LONGEST = Duration.ofSeconds(10);
    private static final int LARGEST = 256 * 1024;

    private final Map<String, String> environment;

    /** @param environment beside the server's own */
    ToolOutput(Map<String, String> environment) {
        this.environment = Map.copyOf(environment);
    }

    /** The value of a variable as the tools see it; empty when it is not set. */
    String variable(String name) {
        return environment.getOrDefault(name, System.getenv().getOrDefault(name, ""));
    }

    /** What the command prints; empty when there is no such command, or it fails or hangs. */
    String of(List<String> command) {
        try {
            var builder =
                    new ProcessBuilder(command).directory(new File("/")).redirectError(ProcessBuilder.Redirect.DISCARD);
            builder.environment().putAll(environment);
            return read(builder.start(), command);
        } catch (IOException notThere) {
            LOG.debug("{} cannot be asked: {}", command.getFirst(), notThere.getMessage());
            return "";
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            return "";
        }
    }

    private static String read(Process process, List<String> command) throws IOException, InterruptedException {
        var late = Thread.ofVirtual().name("tool-limit").start(() -> endAtLast(process));
        try (var printed = process.getInputStream()) {
            process.getOutputStream().close();
            var bytes = printed.readNBytes(LARGEST);
            if (process.waitFor(LONGEST.toMillis(), TimeUnit.MILLISECONDS) && process.exitValue() == 0) {
                return new String(bytes, StandardCharsets.UTF_8);
            }
            LOG.info("{} does not say how it is configured", command.getFirst());
            return "";
        } finally {
            late.interrupt();
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
    }

    private static void endAtLast(Process process) {
        try {
            Thread.sleep(LONGEST);
            process.destroyForcibly();
        } catch (InterruptedException inTime) {
            LOG.trace("a tool has answered in time");
        }
    }
}
