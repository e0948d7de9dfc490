package io.bivouac.foundation.outbox;

import io.bivouac.foundation.database.CommitLog;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;

/** The relay's view of the events' table, on the session that holds its lock: no lock, no reading, no marking. */
final class LockedOutbox {
    static final int BATCH = 500;

    /** Many more than are given out between two flushes of the log. */
    private static final int NUMBERS_SKIPPED = 1_000_000;

    private final Connection session;

    private LockedOutbox(Connection session) {
        this.session = session;
    }

    static LockedOutbox on(Connection session) throws SQLException {
        var outbox = new LockedOutbox(session);
        outbox.begin();
        return outbox;
    }

    boolean isOn(Connection other) {
        return session == other;
    }

    /** @param writtenUpTo the end of the log when they were read: they outlive a crash once it is flushed to there */
    record Batch(List<EventRow> events, String writtenUpTo) {}

    /**
     * A mark is not waited for on the disk: one that a crash of the database takes back is made again. Its number is
     * not, for somebody may have seen it. A crash ends the session too, so each begins far above the last one's numbers.
     */
    private void begin() throws SQLException {
        try (var statement = session.createStatement()) {
            statement.execute(
                    "SELECT setval('published_events', nextval('published_events') + " + NUMBERS_SKIPPED + ")");
            statement.execute("SET synchronous_commit = off");
        }
    }

    Batch unpublished() throws SQLException {
        try (var statement = session.prepareStatement("""
                SELECT position, id, project_id, subject, sequence, type, occurred_at, envelope,
                    (SELECT CAST(pg_current_wal_insert_lsn() AS text)) AS written_up_to
                FROM events WHERE published_at IS NULL ORDER BY position LIMIT ?""")) {
            statement.setInt(1, BATCH);
            var events = new ArrayList<EventRow>();
            String writtenUpTo = null;
            try (var rows = statement.executeQuery()) {
                while (rows.next()) {
                    writtenUpTo = rows.getString("written_up_to");
                    events.add(new EventRow(
                            rows.getLong("position"),
                            rows.getString("id"),
                            rows.getString("project_id"),
                            rows.getString("subject"),
                            rows.getLong("sequence"),
                            rows.getString("type"),
                            instant(rows.getObject("occurred_at", OffsetDateTime.class)),
                            rows.getString("envelope"),
                            null));
                }
            }
            return new Batch(events, writtenUpTo);
        }
    }

    /** Whether all of the batch would outlive a crash of the database; else it must not be told yet. */
    boolean isDurable(Batch batch) throws SQLException {
        try (var statement = session.prepareStatement("SELECT pg_current_wal_flush_lsn() >= CAST(? AS pg_lsn)")) {
            statement.setString(1, batch.writtenUpTo());
            try (var rows = statement.executeQuery()) {
                return rows.next() && rows.getBoolean(1);
            }
        }
    }

    void makeDurable() throws SQLException {
        try (var statement = session.createStatement()) {
            statement.execute("BEGIN; SET LOCAL synchronous_commit = on; " + CommitLog.FLUSH + "; COMMIT");
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
