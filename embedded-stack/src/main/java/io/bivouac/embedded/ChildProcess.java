package io.bivouac.embedded;

import java.io.BufferedReader;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * A process that ends when this JVM ends, however that happens: it watches its standard input, whose other end only
 * this JVM holds, and stops at the end of the stream.
 *
 * <p>It has a session of its own, so that Ctrl-C in our terminal reaches us alone and we stop our children in order.
 */
final class ChildProcess {
    private static final int TAIL_LINES = 40;

    private final Process process;
    private final CompletableFuture<Process> end;
    private final Deque<String> tail = new ArrayDeque<>();

    private ChildProcess(Process process) {
        this.process = process;
        this.end = process.onExit();
    }

    static ChildProcess start(List<String> command, Map<String, String> environment, Consumer<String> lines)
            throws IOException {
        var builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().putAll(environment);
        var child = new ChildProcess(builder.start());
        Thread.ofPlatform().daemon().name(command.getFirst() + "-output").start(() -> child.drain(lines));
        return child;
    }

    private void drain(Consumer<String> lines) {
        try (BufferedReader reader = process.inputReader()) {
            for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                synchronized (tail) {
                    if (tail.size() == TAIL_LINES) {
                        tail.removeFirst();
                    }
                    tail.addLast(line);
                }
                lines.accept(line);
            }
        } catch (IOException e) {
            lines.accept("(output ended: " + e.getMessage() + ")");
        }
    }

    boolean isAlive() {
        return process.isAlive();
    }

    CompletableFuture<Process> end() {
        return end;
    }

    Process process() {
        return process;
    }

    /** The last lines it wrote. */
    String lastWords() {
        synchronized (tail) {
            return String.join("\n", tail);
        }
    }

    /** Cuts the lifeline and waits; what has not stopped by then is killed. */
    void stop(Duration patience) {
        try {
            process.getOutputStream().close();
        } catch (IOException e) {
            // The other end has gone already: the same as closed.
        }
        try {
            if (!process.waitFor(patience.toMillis(), TimeUnit.MILLISECONDS)) {
                process.descendants().forEach(ProcessHandle::destroyForcibly);
                process.destroyForcibly().waitFor();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            process.destroyForcibly();
        }
    }
}
