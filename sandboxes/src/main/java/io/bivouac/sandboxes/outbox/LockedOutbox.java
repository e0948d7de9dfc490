package io.bivouac.sandboxes.outbox;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;

/** The relay's view of the events' table, on the session that holds its lock: no lock, no reading, no marking. */
final class LockedOutbox {
    static final int BATCH = 500;

    private final Connection session;

    private LockedOutbox(Connection session) {
        this.session = session;
    }

    static LockedOutbox on(Connection session) throws SQLException {
        try (var statement = session.createStatement()) {
            // A mark that a crash of the database forgets is only a batch sent twice: it need not be waited for.
            statement.execute("SET synchronous_commit TO off");
        }
        return new LockedOutbox(session);
    }

    boolean isOn(Connection other) {
        return session == other;
    }

    List<EventRow> unpublished() throws SQLException {
        try (var statement = session.prepareStatement("""
                SELECT position, id, project_id, subject, sequence, type, occurred_at, envelope
                FROM events WHERE published_at IS NULL ORDER BY position LIMIT ?""")) {
            statement.setInt(1, BATCH);
            var batch = new ArrayList<EventRow>();
            try (var rows = statement.executeQuery()) {
                while (rows.next()) {
                    batch.add(new EventRow(
                            rows.getLong(1),
                            rows.getString(2),
                            rows.getString(3),
                            rows.getString(4),
                            rows.getLong(5),
                            rows.getString(6),
                            instant(rows.getObject(7, OffsetDateTime.class)),
                            rows.getString(8),
                            null));
                }
            }
            return batch;
        }
    }

    void markPublished(List<EventRow> batch) throws SQLException {
        var positions = batch.stream().map(EventRow::position).toArray(Long[]::new);
        try (var statement =
                session.prepareStatement("UPDATE events SET published_at = now() WHERE position = ANY (?)")) {
            statement.setArray(1, session.createArrayOf("bigint", positions));
            statement.executeUpdate();
        }
    }

    private static Instant instant(OffsetDateTime time) {
        return time.toInstant();
    }
}
