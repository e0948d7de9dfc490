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
     * Counts a project's live sandboxes. The commit of the transaction under way is not waited for on the disk; see
     * {@link #makeDurable}.
     */
    @Query("""
            SELECT count(*), set_config('synchronous_commit', 'off', true) FROM sandboxes
            WHERE project_id = :project AND state <> 'deleted' AND stop_reason IS DISTINCT FROM 'expired'""")
    int countForCreate(String project);

    @Query(CommitLog.FLUSH)
    String makeDurable();

    /** A stopped sandbox needs no CPU and no memory, but keeps its disk. */
    @Query("""
            SELECT count(*) AS sandboxes,
                coalesce(sum(cpu) FILTER (WHERE state <> 'stopped'), 0) AS cpu,
                CAST(coalesce(sum(memory_bytes) FILTER (WHERE state <> 'stopped'), 0) AS bigint) AS memory,
                CAST(coalesce(sum(disk_bytes), 0) AS bigint) AS disk
            FROM sandboxes
            WHERE project_id = :project AND state <> 'deleted' AND stop_reason IS DISTINCT FROM 'expired'""")
    SandboxUsage usage(String project);

    /** One that failed or is over has either not taken it, or has nothing left of it. */
    @Query("""
            SELECT id FROM sandboxes
            WHERE project_id = :project AND workspace = :workspace
              AND state IN ('starting', 'running', 'paused', 'stopping', 'stopped') AND stop_reason IS DISTINCT FROM 'expired'
            LIMIT 1""")
    Optional<String> heirOf(String project, String workspace);

    /** Those that run, whose end use can still move, and that have used up a quarter of their time. */
    @Query("""
            SELECT id, timeout_seconds, expires_at FROM sandboxes
            WHERE kept_until > expires_at AND state = 'running'
              AND expires_at < CAST(:now AS timestamptz) + timeout_seconds * interval '750 milliseconds'""")
    List<KeptSandbox> keptAndDue(Instant now);

    @Query("""
            SELECT CASE WHEN state = 'stopped' AND stop_reason = 'expired' THEN 'expired' ELSE state END AS state,
                count(*) AS sandboxes
            FROM sandboxes WHERE state <> 'deleted' GROUP BY 1""")
    List<StateCount> countByState();

    @Query("""
            DELETE FROM sandboxes
            WHERE (state = 'deleted' OR (state = 'stopped' AND stop_reason = 'expired' AND files_until IS NULL))
              AND updated_at < :before""")
    int purgeOver(Instant before);
}
