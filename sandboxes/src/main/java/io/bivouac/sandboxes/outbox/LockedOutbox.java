package io.bivouac.sandboxes.outbox;

import io.bivouac.sandboxes.database.CommitLog;
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

    LockedOutbox(Connection session) {
        this.session = session;
    }

    /** @param durable whether all of them would outlive a crash of the database; else they must not be told yet */
    record Batch(List<EventRow> events, boolean durable) {}

    Batch unpublished() throws SQLException {
        try (var statement = session.prepareStatement("""
                SELECT position, id, project_id, subject, sequence, type, occurred_at, envelope,
                    (SELECT pg_current_wal_flush_lsn() >= pg_current_wal_insert_lsn())
                FROM events WHERE published_at IS NULL ORDER BY position LIMIT ?""")) {
            statement.setInt(1, BATCH);
            var events = new ArrayList<EventRow>();
            boolean durable = true;
            try (var rows = statement.executeQuery()) {
                while (rows.next()) {
                    durable = rows.getBoolean(9);
                    events.add(new EventRow(
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
            return new Batch(events, durable);
        }
    }

    void makeDurable() throws SQLException {
        try (var statement = session.prepareStatement(CommitLog.FLUSH)) {
            statement.execute();
        }
    }

    /** Also numbers them, in the batch's order, and tells whoever follows their projects. */
    void markPublished(List<EventRow> batch) throws SQLException {
        var positions = batch.stream().map(EventRow::position).toArray(Long[]::new);
        try (var statement = session.prepareStatement("""
                WITH numbered AS MATERIALIZED (
                    SELECT position, nextval('published_events') AS number
                    FROM unnest(?) WITH ORDINALITY AS given (position, place) ORDER BY place),
                marked AS (
                    UPDATE events SET published_at = now(), published_number = numbered.number
                    FROM numbered WHERE events.position = numbered.position RETURNING project_id)
                SELECT pg_notify('bivouac_published', project_id) FROM (SELECT DISTINCT project_id FROM marked) told""")) {
            statement.setArray(1, session.createArrayOf("bigint", positions));
            statement.execute();
        }
    }

    private static Instant instant(OffsetDateTime time) {
        return time.toInstant();
    }
}
