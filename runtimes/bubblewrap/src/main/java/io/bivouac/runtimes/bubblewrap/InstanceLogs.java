package io.bivouac.runtimes.bubblewrap;

import io.bivouac.runtimes.bubblewrap.linux.UntrustedFile;
import io.bivouac.sandboxmodel.runtime.LogLine;
import io.bivouac.sandboxmodel.runtime.LogQuery;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

/** Reads the agent's log from its end, never more than a bounded part of it. */
final class InstanceLogs {
    /** Of each of the two files; the agent begins a new one before. Whoever is root inside may write more. */
    static final int MOST_BYTES = LogQuery.MOST_BYTES / 2;

    private static final String CURRENT = "agent.jsonl";
    private static final String BEFORE = "agent.jsonl.1";

    private InstanceLogs() {}

    static List<LogLine> read(Path folder, LogQuery query) {
        var found = new ArrayDeque<LogLine>();
        for (var name : List.of(CURRENT, BEFORE)) {
            if (found.size() < query.tail()) {
                addLines(tail(folder.resolve(name)), query, found);
            }
        }
        return List.copyOf(found);
    }

    /** From the last to the first: a short tail of a long log parses little of it. */
    private static void addLines(byte[] bytes, LogQuery query, Deque<LogLine> found) {
        int end = bytes.length;
        while (end > 0 && found.size() < query.tail()) {
            int start = end;
            while (start > 0 && bytes[start - 1] != '\n') {
                start--;
            }
            parse(Arrays.copyOfRange(bytes, start, end))
                    .filter(line -> query.covers(line.time()))
                    .ifPresent(found::addFirst);
            end = start - 1;
        }
    }

    private static byte[] tail(Path file) {
        try {
            return UntrustedFile.tail(file, MOST_BYTES);
        } catch (IOException none) {
            return new byte[0];
        }
    }

    /** Empty for a line that is cut, or that somebody else has put there. */
    private static Optional<LogLine> parse(byte[] line) {
        try {
            return Optional.ofNullable(Json.parse(line, LogLine.class))
                    .filter(one -> one.time() != null && one.stream() != null && one.text() != null);
        } catch (IOException | RuntimeException broken) {
            return Optional.empty();
        }
    }
}
