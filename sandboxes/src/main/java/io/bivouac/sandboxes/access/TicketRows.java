package io.bivouac.sandboxes.access;

import io.micronaut.data.annotation.Query;
import io.micronaut.data.jdbc.annotation.JdbcRepository;
import io.micronaut.data.model.query.builder.sql.Dialect;
import io.micronaut.data.repository.GenericRepository;
import java.time.Instant;
import java.util.Optional;

/** The statements on the tickets' table. */
@JdbcRepository(dialect = Dialect.POSTGRES)
interface TicketRows extends GenericRepository<Ticket, byte[]> {
    Ticket save(Ticket ticket);

    /** Whoever deletes it has used it, and nobody else. */
    @Query("WITH used AS (DELETE FROM tickets WHERE hash = :hash RETURNING *) SELECT * FROM used")
    Optional<Ticket> take(byte[] hash);

    @Query("DELETE FROM tickets WHERE expires_at < :before")
    int purge(Instant before);
}
