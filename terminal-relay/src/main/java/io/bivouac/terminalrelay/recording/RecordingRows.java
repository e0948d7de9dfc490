package io.bivouac.terminalrelay.recording;

import io.micronaut.core.annotation.Nullable;
import io.micronaut.data.annotation.Query;
import io.micronaut.data.jdbc.annotation.JdbcRepository;
import io.micronaut.data.model.query.builder.sql.Dialect;
import io.micronaut.data.repository.GenericRepository;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** The statements on the recordings' tables. */
@JdbcRepository(dialect = Dialect.POSTGRES)
interface RecordingRows extends GenericRepository<Recording, String> {
    /** Terminals that are to be recorded, live or ended since, and are not done: id, sandbox, columns, rows, sealed. */
    @Query("""
            SELECT concat_ws(' ', t.id, t.sandbox_id, t.columns, t.rows,
                   CASE WHEN t.sealed THEN 'sealed' ELSE 'clear' END) FROM terminals t LEFT JOIN recordings r ON r.terminal_id = t.id
            WHERE t.recorded AND t.started_at IS NOT NULL AND (t.ended_at IS NULL OR t.ended_at > :since)
              AND coalesce(r.complete, false) = false
            ORDER BY t.id LIMIT :limit""")
    List<String> wanted(Instant since, int limit);

    @Query("""
            INSERT INTO recordings (terminal_id, next_offset, parts, size, last_at, complete)
            VALUES (:terminal, 0, 0, 0, :now, false) ON CONFLICT (terminal_id) DO NOTHING""")
    void begin(String terminal, Instant now);

    @Query("SELECT * FROM recordings WHERE terminal_id = :terminal")
    Optional<Recording> find(String terminal);

    /** The newest first, whichever door they came through: an id's last characters are its time. */
    @Query("""
            SELECT t.id AS terminal_id, t.sandbox_id, t.command, t.columns AS cols, t.rows, t.started_at, t.ended_at,
                   t.exit_code, r.size, r.complete
            FROM recordings r JOIN terminals t ON t.id = r.terminal_id
            WHERE t.project_id = :project AND t.started_at IS NOT NULL
              AND (:sandbox IS NULL OR t.sandbox_id = CAST(:sandbox AS text))
              AND (:cursor IS NULL OR right(t.id, 26) < right(CAST(:cursor AS text), 26))
            ORDER BY right(t.id, 26) DESC LIMIT :limit""")
    List<RecordedTerminal> page(String project, @Nullable String sandbox, @Nullable String cursor, int limit);

    /** One more part, by whoever has seen all before it; 0 when somebody else went on meanwhile. */
    @Query("""
            UPDATE recordings SET next_offset = :offset, parts = parts + 1, size = size + :size, last_at = :now,
                   complete = :complete
            WHERE terminal_id = :terminal AND parts = :part AND NOT complete""")
    int grow(String terminal, int part, long offset, int size, Instant now, boolean complete);
}
