package io.bivouac.agentlink;

import io.micronaut.data.annotation.Query;
import io.micronaut.data.jdbc.annotation.JdbcRepository;
import io.micronaut.data.model.query.builder.sql.Dialect;
import io.micronaut.data.repository.GenericRepository;
import java.util.Optional;

/** The statements on the table of the authority, which has one row. */
@JdbcRepository(dialect = Dialect.POSTGRES)
interface AuthorityRows extends GenericRepository<AuthorityRow, Integer> {
    /** Does nothing when another server was first. */
    @Query("""
            INSERT INTO agent_authority (id, certificate, encrypted_key) VALUES (1, :certificate, :encryptedKey)
            ON CONFLICT (id) DO NOTHING""")
    void add(String certificate, byte[] encryptedKey);

    @Query("SELECT * FROM agent_authority WHERE id = 1")
    Optional<AuthorityRow> find();
}
