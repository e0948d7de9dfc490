package io.bivouac.sandboxes.egress;

import io.micronaut.data.annotation.Id;
import io.micronaut.data.annotation.MappedEntity;
import io.micronaut.data.annotation.Query;
import io.micronaut.data.jdbc.annotation.JdbcRepository;
import io.micronaut.data.model.query.builder.sql.Dialect;
import io.micronaut.data.repository.GenericRepository;
import java.time.Instant;
import java.util.List;

/** The statements on the table of hosts that were refused. */
@JdbcRepository(dialect = Dialect.POSTGRES)
interface BlockedHostRows extends GenericRepository<BlockedHostRows.Row, String> {
    @MappedEntity("blocked_hosts")
    record Row(@Id String sandboxId, String host, String program, Instant at) {}

    @Query("SELECT * FROM blocked_hosts WHERE sandbox_id = :sandbox ORDER BY at DESC, host LIMIT :most")
    List<Row> of(String sandbox, int most);

    @Query("""
            INSERT INTO blocked_hosts (sandbox_id, host, program, at) VALUES (:sandbox, :host, :program, :at)
            ON CONFLICT (sandbox_id, host) DO UPDATE SET program = :program, at = :at""")
    void blocked(String sandbox, String host, String program, Instant at);

    @Query("""
            DELETE FROM blocked_hosts WHERE sandbox_id = :sandbox AND host IN
            (SELECT host FROM blocked_hosts WHERE sandbox_id = :sandbox ORDER BY at DESC, host OFFSET :most)""")
    void keep(String sandbox, int most);
}
