package io.bivouac.sandboxes.store;

import io.bivouac.foundation.database.CommitLog;
import io.micronaut.data.annotation.Query;
import io.micronaut.data.jdbc.annotation.JdbcRepository;
import io.micronaut.data.model.query.builder.sql.Dialect;
import io.micronaut.data.repository.GenericRepository;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** The statements on the sandboxes' table. */
@JdbcRepository(dialect = Dialect.POSTGRES)
interface SandboxRows extends GenericRepository<SandboxRow, String> {
    SandboxRow save(SandboxRow row);

    /**
     * Takes the project's lock until the transaction ends: creates of one project count one after the other. The
     * commit of that transaction is not waited for on the disk; see {@link #makeDurable}.
     */
    @Query("""
            SELECT sandbox_limit
            FROM projects, LATERAL (
                SELECT pg_advisory_xact_lock(hashtextextended(projects.id, 1)),
                    set_config('synchronous_commit', 'off', true)) AS lock
            WHERE id = :project""")
    Optional<Integer> lockLimit(String project);

    @Query(CommitLog.FLUSH)
    String makeDurable();

    @Query("""
            SELECT count(*) FROM sandboxes
            WHERE project_id = :project AND state <> 'deleted' AND stop_reason IS DISTINCT FROM 'expired'""")
    int countLive(String project);

    /** One that failed or is over has either not taken it, or has nothing left of it. */
    @Query("""
            SELECT id FROM sandboxes
            WHERE project_id = :project AND workspace = :workspace
              AND state IN ('starting', 'running', 'stopping', 'stopped') AND stop_reason IS DISTINCT FROM 'expired'
            LIMIT 1""")
    Optional<String> heirOf(String project, String workspace);

    @Query("SELECT state, count(*) AS sandboxes FROM sandboxes WHERE state <> 'deleted' GROUP BY state")
    List<StateCount> countByState();

    @Query("""
            DELETE FROM sandboxes
            WHERE (state = 'deleted' OR (state = 'stopped' AND stop_reason = 'expired')) AND updated_at < :before""")
    int purgeOver(Instant before);
}
