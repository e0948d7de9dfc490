package io.bivouac.sandboxes.idempotency;

import io.micronaut.data.annotation.Query;
import io.micronaut.data.jdbc.annotation.JdbcRepository;
import io.micronaut.data.model.query.builder.sql.Dialect;
import io.micronaut.data.repository.GenericRepository;
import java.time.Instant;
import java.util.Optional;

/** The statements on the idempotency keys' table. */
@JdbcRepository(dialect = Dialect.POSTGRES)
interface IdempotencyRows extends GenericRepository<IdempotencyKey, String> {
    /** Gives 0 when the key is taken; waits for a transaction under way that is taking it. */
    @Query("""
            INSERT INTO idempotency_keys (project_id, key, request_hash, sandbox_id, created_at)
            VALUES (:project, :key, :requestHash, :sandboxId, :createdAt)
            ON CONFLICT (project_id, key) DO UPDATE
                SET request_hash = excluded.request_hash, sandbox_id = excluded.sandbox_id,
                    response = NULL, created_at = excluded.created_at
                WHERE idempotency_keys.created_at < :forgottenBefore""")
    int claim(
            String project,
            String key,
            byte[] requestHash,
            String sandboxId,
            Instant createdAt,
            Instant forgottenBefore);

    @Query("SELECT * FROM idempotency_keys WHERE project_id = :project AND key = :key")
    Optional<IdempotencyKey> find(String project, String key);

    @Query("UPDATE idempotency_keys SET response = :response WHERE project_id = :project AND key = :key")
    int answer(String project, String key, String response);

    @Query("DELETE FROM idempotency_keys WHERE created_at < :before")
    int purge(Instant before);
}
