package io.bivouac.terminalrelay.terminal;

import io.micronaut.core.annotation.Nullable;
import io.micronaut.data.annotation.Query;
import io.micronaut.data.jdbc.annotation.JdbcRepository;
import io.micronaut.data.model.query.builder.sql.Dialect;
import io.micronaut.data.repository.GenericRepository;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** The statements on the terminals' table. */
@JdbcRepository(dialect = Dialect.POSTGRES)
interface TerminalRows extends GenericRepository<Terminal, String> {
    /** One at a time takes a place, until its transaction ends. */
    @Query("SELECT CAST(pg_advisory_xact_lock(hashtextextended('bivouac/terminals', 0)) AS text)")
    Optional<String> lockPlaces();

    @Query("SELECT count(*) FROM terminals WHERE ended_at IS NULL")
    long countLive();

    /** Everything that a limit is about; {@code sandbox} may be one that does not exist yet. */
    @Query("""
            SELECT count(*) AS every,
                count(*) FILTER (WHERE project_id = :project) AS project,
                count(*) FILTER (WHERE sandbox_id = :sandbox) AS sandbox,
                count(*) FILTER (WHERE door = 'session') AS sessions,
                count(*) FILTER (WHERE door = 'session' AND project_id = :project) AS shared,
                count(*) FILTER (WHERE door = 'session' AND project_id = :project AND owner = :owner) AS own
            FROM terminals WHERE ended_at IS NULL""")
    TerminalCounts counts(String project, String owner, String sandbox);

    /** Those that may be ended for a new one, the longest unused first. */
    @Query("""
            SELECT * FROM terminals
            WHERE ended_at IS NULL AND ending IS NULL AND started_at IS NOT NULL AND active_at < :before
              AND project_id = :project AND (owner = :owner OR sandbox_id = :sandbox)
              AND (:door IS NULL OR door = CAST(:door AS text))
            ORDER BY active_at LIMIT :limit""")
    List<Terminal> quiet(
            String project, String owner, String sandbox, @Nullable String door, Instant before, int limit);

    Terminal save(Terminal terminal);

    Optional<Terminal> findById(String id);

    @Query("""
            UPDATE terminals SET started_at = :now, host_key = :hostKey, pid = :pid
            WHERE id = :id AND started_at IS NULL AND ended_at IS NULL""")
    int started(String id, Instant now, @Nullable String hostKey, @Nullable Integer pid);

    @Query("UPDATE terminals SET attached_at = :now WHERE id = :id AND attached_at IS NULL")
    int attached(String id, Instant now);

    @Query("UPDATE terminals SET ending = :reason WHERE id = :id AND ending IS NULL AND ended_at IS NULL")
    int ending(String id, String reason);

    @Query("""
            UPDATE terminals SET ended_at = :now, end_reason = coalesce(ending, :reason), exit_code = :code
            WHERE id = :id AND ended_at IS NULL""")
    int ended(String id, String reason, @Nullable Integer code, Instant now);

    @Query("UPDATE terminals SET expires_at = :end WHERE id = :id AND expires_at > :end AND ended_at IS NULL")
    int cut(String id, Instant end);

    @Query("DELETE FROM terminals WHERE id = :id AND started_at IS NULL")
    int abandon(String id);

    @Query("SELECT * FROM terminals WHERE sandbox_id = :sandbox AND ended_at IS NULL ORDER BY id")
    List<Terminal> liveIn(String sandbox);

    @Query("SELECT DISTINCT sandbox_id FROM terminals WHERE ended_at IS NULL")
    List<String> sandboxesWithTerminals();

    /** Those with terminals that are being ended, or whose time is over. */
    @Query("""
            SELECT DISTINCT sandbox_id FROM terminals
            WHERE ended_at IS NULL AND started_at IS NOT NULL AND (ending IS NOT NULL OR expires_at <= :now)""")
    List<String> sandboxesWithDueTerminals(Instant now);

    /** Those whose sandbox can no longer run them. */
    @Query("""
            SELECT t.* FROM terminals t JOIN sandboxes s ON s.id = t.sandbox_id
            WHERE t.ended_at IS NULL AND s.state IN ('stopping', 'stopped', 'deleted') ORDER BY t.id LIMIT :limit""")
    List<Terminal> stranded(int limit);

    /** Those whose agent is away, and that are to be over: somebody ends them, or their time has run out. */
    @Query("""
            SELECT t.* FROM terminals t JOIN sandboxes s ON s.id = t.sandbox_id
            WHERE t.ended_at IS NULL AND t.started_at IS NOT NULL
              AND (s.state = 'error' AND (t.ending IS NOT NULL OR t.expires_at < now()) OR t.expires_at < :before)
            ORDER BY t.id LIMIT :limit""")
    List<Terminal> overdue(Instant before, int limit);

    /** Made for a sandbox that somebody else still has to delete. */
    @Query("""
            SELECT t.* FROM terminals t JOIN sandboxes s ON s.id = t.sandbox_id
            WHERE t.own_sandbox AND t.ended_at IS NOT NULL AND s.state IN ('starting', 'running', 'paused', 'stopped', 'error')
            ORDER BY t.id LIMIT :limit""")
    List<Terminal> withLeftSandbox(int limit);

    @Query("""
            SELECT * FROM terminals
            WHERE project_id = :project AND (:owner IS NULL OR owner = CAST(:owner AS text))
              AND starts_with(id, :prefix) AND started_at IS NOT NULL
              AND (:sandbox IS NULL OR sandbox_id = CAST(:sandbox AS text))
              AND (:cursor IS NULL OR id < CAST(:cursor AS text))
            ORDER BY id DESC LIMIT :limit""")
    List<Terminal> page(
            String project,
            @Nullable String owner,
            String prefix,
            @Nullable String sandbox,
            @Nullable String cursor,
            int limit);

    /** Those that are open, whichever door they came through. */
    @Query("""
            SELECT * FROM terminals
            WHERE project_id = :project AND (:owner IS NULL OR owner = CAST(:owner AS text))
              AND started_at IS NOT NULL AND ended_at IS NULL
              AND (:sandbox IS NULL OR sandbox_id = CAST(:sandbox AS text))
              AND (:cursor IS NULL OR id < CAST(:cursor AS text))
            ORDER BY id DESC LIMIT :limit""")
    List<Terminal> openPage(
            String project, @Nullable String owner, @Nullable String sandbox, @Nullable String cursor, int limit);

    @Query("""
            DELETE FROM terminals
            WHERE (NOT recorded AND ended_at < :before) OR (recorded AND ended_at < :recordedBefore)""")
    int purge(Instant before, Instant recordedBefore);
}
