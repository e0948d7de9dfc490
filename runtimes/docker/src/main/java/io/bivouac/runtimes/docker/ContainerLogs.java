package io.bivouac.runtimes.docker;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.github.dockerjava.api.async.ResultCallback;
import com.github.dockerjava.api.model.Frame;
import com.github.dockerjava.api.model.StreamType;
import io.bivouac.sandboxmodel.runtime.LogLine;
import io.bivouac.sandboxmodel.runtime.LogQuery;
import io.bivouac.sandboxmodel.runtime.RuntimeFailure;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Reads what a container's first process has written; the engine keeps it with the time of each line. */
final class ContainerLogs {
    private static final int LONGEST_READ_SECONDS = 30;

    /** Longer lines are cut. */
    private static final int LONGEST_LINE = 256 * 1024;

    private static final ObjectMapper JSON = new ObjectMapper();

    private final Engine engine;

    ContainerLogs(Engine engine) {
        this.engine = engine;
    }

    /** The engine counts whole seconds and cuts the tail before the times, so both are done again here. */
    List<LogLine> read(String container, LogQuery query, boolean byAgent) {
        var lines = new Lines(query, byAgent);
        return engine.call("read the log of " + container, ignored -> {
            var command = engine.patient()
                    .logContainerCmd(container)
                    .withStdOut(true)
                    .withStdErr(true)
                    .withTimestamps(true);
            if (query.since() != null) {
                command.withSince(Math.toIntExact(query.since().getEpochSecond()));
            }
            if (query.until() != null) {
                command.withUntil(Math.toIntExact(query.until().getEpochSecond() + 1));
            } else {
                command.withTail(query.tail());
            }
            try (var reading = command.exec(lines)) {
                if (!reading.awaitCompletion(LONGEST_READ_SECONDS, TimeUnit.SECONDS)) {
                    throw new RuntimeFailure("Docker took too long to read the log.");
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new RuntimeFailure("Reading the log was interrupted.", e);
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
            return List.copyOf(lines.last);
        });
    }

    /** Cuts the two streams into lines, whatever pieces the client library hands over, and keeps the last. */
    private static final class Lines extends ResultCallback.Adapter<Frame> {
        private final LogQuery query;
        private final boolean byAgent;
        private final ArrayDeque<LogLine> last = new ArrayDeque<>();
        private long kept;
        private final Map<StreamType, ByteArrayOutputStream> unfinished = new EnumMap<>(StreamType.class);

        private Lines(LogQuery query, boolean byAgent) {
            this.query = query;
            this.byAgent = byAgent;
        }

        @Override
        public void onNext(Frame frame) {
            var line = unfinished.computeIfAbsent(frame.getStreamType(), type -> new ByteArrayOutputStream());
            for (byte next : frame.getPayload()) {
                if (next == '\n') {
                    add(frame.getStreamType(), line);
                } else if (line.size() < LONGEST_LINE) {
                    line.write(next);
                }
            }
        }

        @Override
        public void onComplete() {
            unfinished.forEach(this::add);
            super.onComplete();
        }

        private void add(StreamType type, ByteArrayOutputStream bytes) {
            var text = bytes.toString(StandardCharsets.UTF_8);
            bytes.reset();
            int space = text.indexOf(' ');
            if (space < 0) {
                return;
            }
            // The engine keeps a long line in pieces of 16 kB and writes its time before each.
            var time = text.substring(0, space);
            var line = new LogLine(
                    Instant.parse(time),
                    type == StreamType.STDERR ? "stderr" : "stdout",
                    text.replace(time + " ", "").stripTrailing());
            var told = byAgent ? toldByAgent(line) : line;
            if (query.covers(told.time())) {
                last.addLast(told);
                kept += told.text().length();
                while (last.size() > query.tail() || kept > LogQuery.MOST_BYTES) {
                    kept -= last.removeFirst().text().length();
                }
            }
        }
    }

    /** The agent writes JSON lines that name the stream; anything else is the agent's own last words. */
    private static LogLine toldByAgent(LogLine line) {
        try {
            var told = JSON.readTree(line.text());
            if (told != null && told.hasNonNull("stream") && told.hasNonNull("text")) {
                var time =
                        told.hasNonNull("time") ? Instant.parse(told.get("time").asText()) : line.time();
                return new LogLine(
                        time, told.get("stream").asText(), told.get("text").asText());
            }
        } catch (JsonProcessingException | DateTimeException notAgentsFormat) {
            return new LogLine(line.time(), "agent", line.text());
        }
        return new LogLine(line.time(), "agent", line.text());
    }
}
