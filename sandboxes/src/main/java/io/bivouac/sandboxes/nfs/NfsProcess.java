package io.bivouac.sandboxes.nfs;

import io.micronaut.json.JsonMapper;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** One running {@code bivouac-agent nfs}. It ends when its standard input does, so also when this process is killed. */
final class NfsProcess implements AutoCloseable {
    private static final Duration END_WITHIN = Duration.ofSeconds(2);
    private static final int LONGEST_REASON = 500;

    private final Process process;
    private final int port;
    private final SocketChannel control;
    private final BufferedReader answers;
    private final JsonMapper json;

    private NfsProcess(Process process, int port, SocketChannel control, JsonMapper json) {
        this.process = process;
        this.port = port;
        this.control = control;
        this.answers = new BufferedReader(Channels.newReader(control, StandardCharsets.UTF_8));
        this.json = json;
    }

    static NfsProcess start(NfsCommand command, NfsSettings settings, Runnable ended) {
        Process process = null;
        try {
            process = command.start(settings);
            var ready = process.inputReader(StandardCharsets.UTF_8).readLine();
            if (ready == null) {
                throw new NfsFailure("The NFS process did not start: " + reason(command.output()));
            }
            int port = ((Number) command.json().readValue(ready, Map.class).get("port")).intValue();
            command.keepPort(settings.getPort(), port);
            var control = SocketChannel.open(StandardProtocolFamily.UNIX);
            control.connect(UnixDomainSocketAddress.of(command.control()));
            process.onExit().thenRun(ended);
            return new NfsProcess(process, port, control, command.json());
        } catch (IOException | RuntimeException e) {
            if (process != null) {
                process.destroyForcibly();
            }
            throw e instanceof NfsFailure failure
                    ? failure
                    : new NfsFailure("The NFS process did not start: " + e.getMessage(), e);
        }
    }

    private static String reason(Path output) throws IOException {
        var text = Files.readString(output).strip();
        return text.substring(0, Math.min(text.length(), LONGEST_REASON));
    }

    boolean isAlive() {
        return process.isAlive();
    }

    int port() {
        return port;
    }

    synchronized void order(Map<String, ?> order) {
        try {
            var line = ByteBuffer.wrap((new String(json.writeValueAsBytes(order), StandardCharsets.UTF_8) + "\n")
                    .getBytes(StandardCharsets.UTF_8));
            while (line.hasRemaining()) {
                control.write(line);
            }
            var answer = answers.readLine();
            if (answer == null) {
                throw new NfsFailure("The NFS process has ended.");
            }
            var problem = json.readValue(answer, Map.class).get("error");
            if (problem != null) {
                throw new NfsFailure("NFS: " + problem + ".");
            }
        } catch (IOException broken) {
            throw new NfsFailure("The NFS process does not answer: " + broken.getMessage(), broken);
        }
    }

    @Override
    public void close() {
        try {
            control.close();
            process.getOutputStream().close();
            if (!process.waitFor(END_WITHIN.toMillis(), TimeUnit.MILLISECONDS)) {
                process.destroyForcibly();
            }
        } catch (IOException alreadyGone) {
            process.destroyForcibly();
        } catch (InterruptedException stopped) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
