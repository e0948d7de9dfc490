package io.bivouac.runtimes.bubblewrap;

import io.bivouac.runtimes.bubblewrap.linux.UntrustedFile;
import io.bivouac.sandboxmodel.runtime.LogLine;
import io.bivouac.sandboxmodel.runtime.LogQuery;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;

/** Reads the agent's log from its end, never more than a bounded part of it. */
final class InstanceLogs {
    /** Of each of the two files; the agent begins a new one long before. */
    static final int MOST_BYTES = 8 << 20;

    private static final String CURRENT = "agent.jsonl";
    private static final String BEFORE = "agent.jsonl.1";

    private InstanceLogs() {}

    static List<LogLine> read(Path folder, LogQuery query) {
        var found = new ArrayDeque<LogLine>();
        for (var name : List.of(CURRENT, BEFORE)) {
            var lines = text(folder.resolve(name)).lines().toList();
            for (int i = lines.size() - 1; i >= 0 && found.size() < query.tail(); i--) {
                parse(lines.get(i)).filter(line -> query.covers(line.time())).ifPresent(found::addFirst);
            }
        }
        return List.copyOf(found);
    }

    private static String text(Path file) {
        try {
            return new String(UntrustedFile.tail(file, MOST_BYTES), StandardCharsets.UTF_8);
        } catch (IOException none) {
            return "";
        }
    }

    /** Empty for a line that is cut, or that somebody else has put there. */
    private static Optional<LogLine> parse(String line) {
        try {
            return Optional.ofNullable(Json.parse(line.getBytes(StandardCharsets.UTF_8), LogLine.class))
                    .filter(one -> one.time() != null && one.stream() != null && one.text() != null);
        } catch (IOException | RuntimeException broken) {
            return Optional.empty();
        }
    }
}
