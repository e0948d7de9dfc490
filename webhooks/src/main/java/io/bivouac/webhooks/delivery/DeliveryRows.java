package io.bivouac.webhooks.delivery;

import io.bivouac.foundation.paging.Page;
import io.micronaut.core.annotation.Nullable;
import io.micronaut.data.annotation.Query;
import io.micronaut.data.jdbc.annotation.JdbcRepository;
import io.micronaut.data.model.query.builder.sql.Dialect;
import io.micronaut.data.repository.GenericRepository;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** How deliveries are looked at and put back; the ledger and the claims have statements of their own. */
@JdbcRepository(dialect = Dialect.POSTGRES)
public interface DeliveryRows extends GenericRepository<DeliveryRow, String> {
    /** What a notification begins with when somebody asked for something to be sent to the endpoint that follows. */
    String ASKED = "asked:";

    @Query("""
            SELECT id, project_id, endpoint_id, event_id, type, subject, state, attempts, due_at,
                CAST(log AS text) AS log, created_at, updated_at
            FROM webhook_deliveries WHERE id = :id""")
    Optional<DeliveryRow> find(String id);

    /** Without what receivers answered, which may be large. */
    @Query("""
            SELECT * FROM (
                SELECT d.*, sum(octet_length(log)) OVER (ORDER BY id DESC""" + " " + Page.BEFORE + """
            ) AS bytes_before FROM (
                    SELECT id, project_id, endpoint_id, event_id, type, subject, state, attempts, due_at,
                        coalesce((SELECT CAST(jsonb_agg(a.attempt - 'response' ORDER BY a.place) AS text)
                            FROM jsonb_array_elements(log) WITH ORDINALITY AS a(attempt, place)), '[]') AS log,
                        created_at, updated_at
                    FROM webhook_deliveries
                    WHERE endpoint_id = :endpoint AND (CAST(:before AS text) IS NULL OR id < :before)
                        AND (CAST(:state AS text) IS NULL OR state = :state)
                    ORDER BY id DESC LIMIT :limit) d) p
            WHERE coalesce(bytes_before, 0) <= """ + Page.LARGEST_BYTES + " ORDER BY id DESC")
    List<DeliveryRow> page(String endpoint, @Nullable String before, @Nullable String state, int limit);

    /** Nothing happens when what was sent is no longer kept. */
    @Query("""
            UPDATE webhook_deliveries d SET state = 'waiting', due_at = now(), attempts = 0, updated_at = now(),
                replays = d.replays + 1,
                envelope = coalesce(d.envelope, (SELECT e.envelope FROM events e WHERE e.id = d.event_id))
            WHERE d.id = :id AND d.state <> 'cancelled'
                AND (d.envelope IS NOT NULL OR EXISTS (SELECT 1 FROM events e WHERE e.id = d.event_id))""")
    int putBack(String id);

    /** Dead ones of a span of events' times, as a range of ids. */
    @Query("""
            UPDATE webhook_deliveries SET state = 'waiting', due_at = now(), attempts = 0, updated_at = now(),
                replays = replays + 1
            WHERE endpoint_id = :endpoint AND state = 'dead' AND id >= :first AND id < :last""")
    int redrive(String endpoint, String first, String last);

    @Query("SELECT count(*) FROM webhook_deliveries WHERE state = 'waiting'")
    long countWaiting();

    @Query("SELECT min(created_at) FROM webhook_deliveries WHERE state = 'waiting'")
    Optional<Instant> oldestWaiting();

    /** Whoever sends hears at once that there is something to send. */
    @Query("SELECT pg_notify('bivouac_changes', '" + ASKED + "' || :endpoint)")
    Optional<String> ask(String endpoint);
}
