package io.bivouac.webhooks.crash;

import io.bivouac.foundation.database.DatabaseUrl;
import io.bivouac.webhooks.fixture.Api;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Asks the server for changes, and writes down, safe on disk, what was answered. */
final class Producer {
    private static final int MOST_FAILURES = 100;

    private final DatabaseUrl database;
    private final Path ledger;
    private final Api api;

    private Producer(DatabaseUrl database, Path ledger, Api api) {
        this.database = database;
        this.ledger = ledger;
        this.api = api;
    }

    static Producer with(CrashStack stack, Server server) throws IOException {
        return new Producer(
                DatabaseUrl.parse(stack.postgres().url()),
                Files.createFile(stack.folder().resolve("producer.ledger")),
                server.project());
    }

    /** Its secret. */
    String endpoint(String url, boolean fifo) {
        return api.endpoint(url, "\"fifo\":" + fifo, "\"retry\":\"long\"").text("/secret");
    }

    /** So many sandboxes with a few changes each. */
    void produce(Server server, int sandboxes) throws IOException, InterruptedException {
        int failures = 0;
        for (int made = 0; made < sandboxes; ) {
            var events = server.change(api.project());
            if (!events.isEmpty()) {
                write(events);
                made++;
            } else if (++failures > MOST_FAILURES) {
                throw new AssertionError(
                        "the server changes nothing: " + server.program().log());
            } else {
                Thread.sleep(100);
            }
        }
    }

    private void write(List<String> events) throws IOException {
        try (var file = FileChannel.open(ledger, StandardOpenOption.APPEND)) {
            file.write(StandardCharsets.UTF_8.encode(String.join("\n", events) + "\n"));
            file.force(true);
        }
    }

    List<String> ledger() throws IOException {
        return Files.readAllLines(ledger);
    }

    /** Everything that was said in the project, also what nobody was told of. */
    Set<String> events() throws SQLException {
        return ids("SELECT id FROM events WHERE project_id = ?");
    }

    /** How many of them are not known to be on Kafka. */
    int unpublished() throws SQLException {
        return ids("SELECT id FROM events WHERE project_id = ? AND published_at IS NULL")
                .size();
    }

    private Set<String> ids(String sql) throws SQLException {
        try (var connection = DriverManager.getConnection(database.jdbcUrl(), database.driverProperties());
                var statement = connection.prepareStatement(sql)) {
            statement.setString(1, api.project());
            var ids = new HashSet<String>();
            try (var rows = statement.executeQuery()) {
                while (rows.next()) {
                    ids.add(rows.getString(1));
                }
            }
            return ids;
        }
    }
}
