package io.bivouac.sandboxes.audit;

import io.micronaut.data.annotation.Query;
import io.micronaut.data.jdbc.annotation.JdbcRepository;
import io.micronaut.data.model.query.builder.sql.Dialect;
import io.micronaut.data.repository.GenericRepository;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** The statements on the audit's table. */
@JdbcRepository(dialect = Dialect.POSTGRES)
interface AuditRows extends GenericRepository<AuditRow, Long> {
    /** One writer at a time for each chain, until its transaction ends. */
    @Query("SELECT CAST(pg_advisory_xact_lock(hashtextextended('bivouac/audit/' || :project, 0)) AS text)")
    Optional<String> lockChain(String project);

    @Query("SELECT * FROM audit WHERE project_id = :project ORDER BY sequence DESC LIMIT 1")
    Optional<AuditRow> last(String project);

    @Query("""
            INSERT INTO audit (project_id, sequence, at, actor, action, subject, detail, previous, hash)
            VALUES (:project, :sequence, :at, :actor, :action, :subject, :detail, :previous, :hash)""")
    void insert(
            String project,
            long sequence,
            Instant at,
            String actor,
            String action,
            String subject,
            String detail,
            byte[] previous,
            byte[] hash);

    @Query("SELECT * FROM audit WHERE project_id = :project AND sequence < :before ORDER BY sequence DESC LIMIT :limit")
    List<AuditRow> page(String project, long before, int limit);

    @Query("SELECT * FROM audit WHERE project_id = :project AND sequence > :after ORDER BY sequence LIMIT :limit")
    List<AuditRow> after(String project, long after, int limit);
}
