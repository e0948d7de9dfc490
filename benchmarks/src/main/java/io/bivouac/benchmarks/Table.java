package io.bivouac.benchmarks;

import java.util.ArrayList;
import java.util.List;

/** A group's rows and what a reader must know about them. */
final class Table {
    /**
     * A line of the table.
     *
     * @param ratio how the two compare, in words; empty when that says nothing
     */
    record Row(String what, Figure seen, Figure beside, String ratio, Goal goal) {
        private List<String> cells() {
            return List.of(what, seen.text(), beside.text(), ratio, goal.text(), goal.verdict());
        }
    }

    private static final List<String> HEAD = List.of("what", "seen", "beside", "ratio", "must reach", "ok?");

    private final String title;
    private final List<Row> rows = new ArrayList<>();
    private final List<String> notes = new ArrayList<>();

    Table(String title) {
        this.title = title;
    }

    void add(String what, Figure seen, Figure beside, String ratio, Goal goal) {
        rows.add(new Row(what, seen, beside, ratio, goal));
        System.err.println("  " + what + ": " + seen.text());
    }

    void note(String note) {
        notes.add(note);
    }

    String title() {
        return title;
    }

    List<Row> rows() {
        return rows;
    }

    List<String> notes() {
        return notes;
    }

    @Override
    public String toString() {
        var lines = new ArrayList<List<String>>();
        lines.add(HEAD);
        rows.forEach(row -> lines.add(row.cells()));
        int[] widths = new int[HEAD.size()];
        for (var line : lines) {
            for (int i = 0; i < widths.length; i++) {
                widths[i] = Math.max(widths[i], line.get(i).length());
            }
        }
        var text = new StringBuilder("\n").append(title).append('\n');
        for (var line : lines) {
            append(text, line, widths);
            if (line == HEAD) {
                text.append(rule(widths)).append('\n');
            }
        }
        notes.forEach(note -> text.append("  ").append(note).append('\n'));
        return text.toString();
    }

    private static void append(StringBuilder text, List<String> cells, int[] widths) {
        var line = new StringBuilder();
        for (int i = 0; i < widths.length; i++) {
            line.append(i == 0 ? "  " : " | ")
                    .append(cells.get(i))
                    .repeat(" ", widths[i] - cells.get(i).length());
        }
        text.append(line.toString().stripTrailing()).append('\n');
    }

    private static String rule(int[] widths) {
        var line = new StringBuilder();
        for (int i = 0; i < widths.length; i++) {
            line.append(i == 0 ? "  " : "-+-").repeat("-", widths[i]);
        }
        return line.toString();
    }
}
