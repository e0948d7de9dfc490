package io.bivouac.identity;

import io.micronaut.data.annotation.Query;
import io.micronaut.data.jdbc.annotation.JdbcRepository;
import io.micronaut.data.model.query.builder.sql.Dialect;
import io.micronaut.data.repository.GenericRepository;
import java.time.Instant;

/** The statements on the table of used proofs. */
@JdbcRepository(dialect = Dialect.POSTGRES)
interface UsedProofRows extends GenericRepository<UsedProof, byte[]> {
    /** 1 for whoever shows it first, 0 for all others. */
    @Query("INSERT INTO used_proofs (hash, expires_at) VALUES (:hash, :expiresAt) ON CONFLICT DO NOTHING")
    int use(byte[] hash, Instant expiresAt);

    @Query("DELETE FROM used_proofs WHERE expires_at < :before")
    int purge(Instant before);
}
