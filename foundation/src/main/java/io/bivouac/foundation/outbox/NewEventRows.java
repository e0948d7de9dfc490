package io.bivouac.foundation.outbox;

import io.micronaut.data.annotation.Query;
import io.micronaut.data.jdbc.annotation.JdbcRepository;
import io.micronaut.data.model.query.builder.sql.Dialect;
import io.micronaut.data.repository.GenericRepository;
import java.util.List;

/** Adds to the events' table. */
@JdbcRepository(dialect = Dialect.POSTGRES)
interface NewEventRows extends GenericRepository<NewEvent, String> {
    @Query("""
            INSERT INTO events (id, project_id, subject, sequence, type, occurred_at, envelope)
            VALUES (:id, :projectId, :subject, :sequence, :type, :occurredAt, :envelope)""")
    void insert(List<NewEvent> events);
}
