package io.bivouac.foundation.access;

import io.micronaut.data.annotation.Query;
import io.micronaut.data.jdbc.annotation.JdbcRepository;
import io.micronaut.data.model.query.builder.sql.Dialect;
import io.micronaut.data.repository.GenericRepository;
import java.time.Instant;
import java.util.Optional;

/** The statements on the tickets' table. */
@JdbcRepository(dialect = Dialect.POSTGRES)
interface TicketRows extends GenericRepository<Ticket, String> {
    Ticket save(Ticket ticket);

    Optional<Ticket> findById(String hash);

    /** Whoever deletes it has used it, and nobody else. */
    @Query("DELETE FROM tickets WHERE hash = :hash")
    int use(String hash);

    @Query("DELETE FROM tickets WHERE expires_at < :before")
    int purge(Instant before);
}
