package io.bivouac.launcher.doctor;

import io.bivouac.sandboxmodel.runtime.Check;
import java.util.ArrayList;
import java.util.List;

/** Checks in words for a terminal, or as JSON for programs. */
public final class Report {
    private static final String LINE = "  %-17s %s";

    private Report() {}

    public static List<String> lines(List<Check> checks) {
        var lines = new ArrayList<String>();
        for (var check : checks) {
            lines.add((check.ok() ? "✓" : "✗")
                    + LINE.formatted(check.name(), check.seen()).substring(1));
            if (!check.ok()) {
                lines.add(LINE.formatted("", "costs: " + check.costs()));
                var remedy = check.remedy().lines().toList();
                lines.add(LINE.formatted("", "mend:  " + remedy.getFirst()));
                // As it is, to be copied: a here-document ends at the line's beginning.
                lines.addAll(remedy.subList(1, remedy.size()));
            }
        }
        return lines;
    }

    /** The same shape as {@code GET /api/v1/doctor}. */
    public static String json(List<Check> checks) {
        var items = checks.stream().map(Report::json).toList();
        return "{\"checks\":[" + String.join(",", items) + "]}";
    }

    private static String json(Check check) {
        var fields = new ArrayList<String>();
        fields.add("\"name\":" + quoted(check.name()));
        fields.add("\"ok\":" + check.ok());
        fields.add("\"seen\":" + quoted(check.seen()));
        if (!check.ok()) {
            fields.add("\"costs\":" + quoted(check.costs()));
            fields.add("\"remedy\":" + quoted(check.remedy()));
        }
        return "{" + String.join(",", fields) + "}";
    }

    /** A text of JSON. */
    public static String quoted(String text) {
        var quoted = new StringBuilder("\"");
        text.chars().forEach(character -> {
            switch (character) {
                case '"' -> quoted.append("\\\"");
                case '\\' -> quoted.append("\\\\");
                case '\n' -> quoted.append("\\n");
                default ->
                    quoted.append(character < ' ' ? "\\u%04x".formatted(character) : String.valueOf((char) character));
            }
        });
        return quoted.append('"').toString();
    }
}
