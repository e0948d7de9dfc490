package io.bivouac.sandboxes.token;

import io.micronaut.data.annotation.Id;
import io.micronaut.data.annotation.MappedEntity;
import io.micronaut.data.annotation.Query;
import io.micronaut.data.jdbc.annotation.JdbcRepository;
import io.micronaut.data.model.query.builder.sql.Dialect;
import io.micronaut.data.repository.GenericRepository;
import java.util.Optional;

/** The statements on the table of access tokens. */
@JdbcRepository(dialect = Dialect.POSTGRES)
interface AccessTokenRows extends GenericRepository<AccessTokenRows.Row, String> {
    /** A row of it. */
    @MappedEntity("access_tokens")
    record Row(@Id String sandboxId, int generation) {}

    @Query("SELECT sandbox_id, generation FROM access_tokens WHERE sandbox_id = :sandbox")
    Optional<Row> find(String sandbox);

    @Query("""
            INSERT INTO access_tokens (sandbox_id, generation) VALUES (:sandbox, 1)
            ON CONFLICT (sandbox_id) DO UPDATE SET generation = access_tokens.generation + 1""")
    void renew(String sandbox);

    /** Every process forgets what it remembers of the sandbox on hearing this. */
    @Query("SELECT pg_notify('bivouac_changes', :sandbox)")
    Optional<String> tell(String sandbox);
}
