package io.bivouac.foundation.audit;

import io.bivouac.foundation.paging.Page;
import io.micronaut.data.annotation.Query;
import io.micronaut.data.jdbc.annotation.JdbcRepository;
import io.micronaut.data.model.query.builder.sql.Dialect;
import io.micronaut.data.repository.GenericRepository;
import java.util.List;

/** The statements on the audit's table. */
@JdbcRepository(dialect = Dialect.POSTGRES)
interface AuditRows extends GenericRepository<AuditRow, Long> {
    @Query("""
            SELECT * FROM (
                SELECT a.*, sum(octet_length(actor) + octet_length(subject) + octet_length(detail))
                    OVER (ORDER BY sequence DESC""" + " " + Page.BEFORE + """
            ) AS bytes_before FROM (
                    SELECT * FROM audit WHERE project_id = :project AND sequence < :before
                    ORDER BY sequence DESC LIMIT :limit) a) p
            WHERE coalesce(bytes_before, 0) <= """ + Page.LARGEST_BYTES + " ORDER BY sequence DESC")
    List<AuditRow> page(String project, long before, int limit);

    @Query("SELECT * FROM audit WHERE project_id = :project AND sequence > :after ORDER BY sequence LIMIT :limit")
    List<AuditRow> after(String project, long after, int limit);

    /** Of each project that has acts. */
    @Query("""
            SELECT p.id AS project_id, newest.sequence, newest.hash FROM projects p CROSS JOIN LATERAL (
                SELECT sequence, hash FROM audit WHERE project_id = p.id ORDER BY sequence DESC LIMIT 1
            ) AS newest""")
    List<AuditHead> heads();
}
