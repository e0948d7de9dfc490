package io.bivouac.sandboxio.port;

import io.micronaut.core.annotation.Nullable;
import io.micronaut.data.annotation.Id;
import io.micronaut.data.annotation.MappedEntity;
import io.micronaut.data.annotation.Query;
import io.micronaut.data.jdbc.annotation.JdbcRepository;
import io.micronaut.data.model.query.builder.sql.Dialect;
import io.micronaut.data.repository.GenericRepository;
import java.util.List;

/** The statements on the table of ports whose opening was told. */
@JdbcRepository(dialect = Dialect.POSTGRES)
interface OpenPortRows extends GenericRepository<OpenPortRows.Row, String> {
    /** @param bootId which start of the agent told of it */
    @MappedEntity("open_ports")
    record Row(
            @Id String sandboxId,
            int port,
            String bootId,
            @Nullable String program) {}

    @Query("SELECT sandbox_id, port, boot_id, program FROM open_ports WHERE sandbox_id = :sandbox")
    List<Row> of(String sandbox);

    @Query("""
            INSERT INTO open_ports (sandbox_id, port, boot_id, program) VALUES (:sandbox, :port, :bootId, :program)
            ON CONFLICT (sandbox_id, port) DO UPDATE SET boot_id = :bootId, program = :program""")
    void opened(String sandbox, int port, String bootId, @Nullable String program);

    @Query("DELETE FROM open_ports WHERE sandbox_id = :sandbox AND port = :port")
    void closed(String sandbox, int port);
}
