package io.bivouac.benchmarks;

import io.micronaut.json.JsonMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The same tables for a program to read. */
final class Results {
    private static final Path FILE = Path.of("benchmarks/target/results.json");

    private final Map<String, Object> groups = new LinkedHashMap<>();

    void add(String name, Table table) {
        var rows = new ArrayList<Map<String, Object>>();
        for (var row : table.rows()) {
            var values = new LinkedHashMap<String, Object>();
            values.put("what", row.what());
            values.put("seen", row.seen().numbers());
            values.put("beside", row.beside().numbers());
            values.put("besideText", row.beside().text());
            values.put("ratio", row.ratio());
            values.put("mustReach", row.goal().text());
            values.put("ok", row.goal().met());
            rows.add(values);
        }
        groups.put(name, Map.of("title", table.title(), "rows", rows, "notes", List.copyOf(table.notes())));
    }

    Path write() throws IOException {
        var all = Map.of("at", Instant.now().toString(), "groups", groups);
        return Files.write(FILE, JsonMapper.createDefault().writeValueAsBytes(all));
    }
}
