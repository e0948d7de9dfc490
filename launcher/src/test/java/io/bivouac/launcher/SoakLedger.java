package io.bivouac.launcher;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.LongAdder;

/** What was sent to a server that is killed again and again, and what became of it. Thread-safe. */
final class SoakLedger {
    /**
     * One kind of request.
     *
     * @param sent all of them
     * @param kept those that were answered as asked
     * @param refused those that were answered with an error, while something was down or its sandbox was gone
     * @param cut those whose connection broke: whether they were done is not known
     */
    record Row(LongAdder sent, LongAdder kept, LongAdder refused, LongAdder cut) {
        Row() {
            this(new LongAdder(), new LongAdder(), new LongAdder(), new LongAdder());
        }
    }

    private final Map<String, Row> rows = new ConcurrentSkipListMap<>();
    private final Map<String, LongAdder> kills = new ConcurrentSkipListMap<>();

    /** Created, and nobody has asked for their end: they must be there. */
    final Set<String> alive = ConcurrentHashMap.newKeySet();

    /** Deleted, and the server said so: they must be gone. */
    final Set<String> deleted = ConcurrentHashMap.newKeySet();

    /** Answers that were wrong, which nothing excuses. */
    final Set<String> wrong = ConcurrentHashMap.newKeySet();

    Row row(String kind) {
        return rows.computeIfAbsent(kind, _ -> new Row());
    }

    void killed(String victim) {
        kills.computeIfAbsent(victim, _ -> new LongAdder()).increment();
    }

    long kills() {
        return kills.values().stream().mapToLong(LongAdder::sum).sum();
    }

    long kept(String kind) {
        return row(kind).kept().sum();
    }

    /** As two tables in Markdown. */
    List<String> lines() {
        var lines = new java.util.ArrayList<String>();
        lines.add("| sent to the server | sent | done | refused meanwhile | connection cut |");
        lines.add("|---|---|---|---|---|");
        rows.forEach((kind, row) -> lines.add("| %s | %,d | %,d | %,d | %,d |"
                .formatted(
                        kind,
                        row.sent().sum(),
                        row.kept().sum(),
                        row.refused().sum(),
                        row.cut().sum())));
        lines.add("");
        lines.add("| killed | times |");
        lines.add("|---|---|");
        new TreeMap<>(kills).forEach((victim, times) -> lines.add("| %s | %d |".formatted(victim, times.sum())));
        return lines;
    }
}
