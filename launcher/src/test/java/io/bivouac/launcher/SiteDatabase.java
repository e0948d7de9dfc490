package io.bivouac.launcher;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The embedded PostgreSQL of a data folder, asked directly. */
record SiteDatabase(String url, String password) {
    private static final int PID_LINE = 0;
    private static final int PORT_LINE = 3;

    static SiteDatabase of(Path data) {
        return new SiteDatabase(
                "jdbc:postgresql://127.0.0.1:" + postmaster(data, PORT_LINE) + "/bivouac",
                HostTraces.read(data.resolve("postgres/password")).strip());
    }

    static long processOf(Path data) {
        long pid = Long.parseLong(postmaster(data, PID_LINE));
        // The file of one that was killed stays, and its number may be another's by now.
        if (!HostTraces.read(Path.of("/proc/" + pid + "/cmdline")).contains(data.toString())) {
            throw new AssertionError("process " + pid + " is not the PostgreSQL of " + data);
        }
        return pid;
    }

    String installation() throws SQLException {
        return pairs("SELECT id, id FROM installation").keySet().iterator().next();
    }

    Map<String, String> states() throws SQLException {
        return pairs("SELECT id, state FROM sandboxes WHERE state <> 'deleted'");
    }

    /** Events of each sandbox that were ever said. */
    Map<String, String> lastSequences() throws SQLException {
        return pairs("SELECT id, sequence FROM sandboxes");
    }

    /** The types of what was said about a sandbox, in order. */
    List<String> eventsOf(String sandbox) throws SQLException {
        return List.copyOf(
                pairs("SELECT lpad(sequence::text, 9, '0'), type FROM events WHERE subject = '%s'".formatted(sandbox))
                        .values());
    }

    /** Of all sandboxes. */
    List<String> eventIds() throws SQLException {
        return List.copyOf(pairs("SELECT id, id FROM events").keySet());
    }

    int openPermissions() throws SQLException {
        return Integer.parseInt(pairs("SELECT 'all', count(*) FROM permission_requests WHERE state = 'open'")
                .get("all"));
    }

    int unpublished() throws SQLException {
        return Integer.parseInt(pairs("SELECT 'all', count(*) FROM events WHERE published_at IS NULL")
                .get("all"));
    }

    private Map<String, String> pairs(String query) throws SQLException {
        try (var connection = DriverManager.getConnection(url, "bivouac", password);
                var statement = connection.createStatement();
                var rows = statement.executeQuery(query)) {
            var pairs = new TreeMap<String, String>();
            while (rows.next()) {
                pairs.put(rows.getString(1), rows.getString(2));
            }
            return pairs;
        }
    }

    private static String postmaster(Path data, int line) {
        try {
            return Files.readAllLines(data.resolve("postgres/data/postmaster.pid"))
                    .get(line)
                    .strip();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
