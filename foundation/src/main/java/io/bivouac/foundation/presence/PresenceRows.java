package io.bivouac.foundation.presence;

import io.micronaut.data.annotation.Id;
import io.micronaut.data.annotation.MappedEntity;
import io.micronaut.data.annotation.Query;
import io.micronaut.data.jdbc.annotation.JdbcRepository;
import io.micronaut.data.model.query.builder.sql.Dialect;
import io.micronaut.data.repository.GenericRepository;
import java.time.Instant;

/** The statements on the table of connected approvers. */
@JdbcRepository(dialect = Dialect.POSTGRES)
interface PresenceRows extends GenericRepository<PresenceRows.Row, String> {
    /** @param sandboxId empty for whoever answers for all of the project */
    @MappedEntity("approvers_present")
    record Row(@Id String server, String projectId, String sandboxId, Instant until) {}

    @Query("""
            INSERT INTO approvers_present (server, project_id, sandbox_id, until)
            VALUES (:server, :project, :sandbox, :until)
            ON CONFLICT (server, project_id, sandbox_id) DO UPDATE SET until = :until""")
    void here(String server, String project, String sandbox, Instant until);

    @Query("DELETE FROM approvers_present WHERE server = :server AND project_id = :project AND sandbox_id = :sandbox")
    void gone(String server, String project, String sandbox);

    @Query("DELETE FROM approvers_present WHERE server = :server OR until < :now")
    void goneAll(String server, Instant now);

    @Query("""
            SELECT EXISTS (SELECT 1 FROM approvers_present
            WHERE project_id = :project AND sandbox_id IN ('', :sandbox) AND until > :now AND server <> :server)""")
    boolean isAnybodyElsewhere(String server, String project, String sandbox, Instant now);
}
