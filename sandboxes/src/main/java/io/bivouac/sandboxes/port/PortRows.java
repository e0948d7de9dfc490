package io.bivouac.sandboxes.port;

import io.micronaut.data.annotation.Id;
import io.micronaut.data.annotation.MappedEntity;
import io.micronaut.data.annotation.Query;
import io.micronaut.data.jdbc.annotation.JdbcRepository;
import io.micronaut.data.model.query.builder.sql.Dialect;
import io.micronaut.data.repository.GenericRepository;
import java.util.List;

/** The statements on the table of published ports. */
@JdbcRepository(dialect = Dialect.POSTGRES)
interface PortRows extends GenericRepository<PortRows.Row, String> {
    /** A row of it; the id is not the whole key, which nothing here relies on. */
    @MappedEntity("published_ports")
    record Row(@Id String sandboxId, int port, int hostPort) {}

    @Query("""
            INSERT INTO published_ports (sandbox_id, port, host_port) VALUES (:sandbox, :port, :hostPort)
            ON CONFLICT (sandbox_id, port) DO UPDATE SET host_port = EXCLUDED.host_port""")
    void publish(String sandbox, int port, int hostPort);

    @Query("""
            SELECT sandbox_id, port, host_port FROM published_ports
            WHERE sandbox_id IN (:sandboxes) ORDER BY sandbox_id, port""")
    List<Row> of(List<String> sandboxes);

    @Query("DELETE FROM published_ports WHERE sandbox_id = :sandbox")
    void forget(String sandbox);
}
