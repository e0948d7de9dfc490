package io.bivouac.foundation.access;

import io.micronaut.core.annotation.Nullable;
import io.micronaut.data.annotation.Query;
import io.micronaut.data.jdbc.annotation.JdbcRepository;
import io.micronaut.data.model.query.builder.sql.Dialect;
import io.micronaut.data.repository.GenericRepository;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** The statements on the keys' table. */
@JdbcRepository(dialect = Dialect.POSTGRES)
interface AccessRows extends GenericRepository<ApiKey, String> {
    ApiKey save(ApiKey key);

    Optional<ApiKey> findById(String id);

    Optional<ApiKey> findByHash(byte[] hash);

    @Query("""
            SELECT * FROM api_keys WHERE project_id = :project AND (CAST(:before AS text) IS NULL OR id < :before)
            ORDER BY id DESC LIMIT :limit""")
    List<ApiKey> page(String project, @Nullable String before, int limit);

    @Query("UPDATE api_keys SET revoked_at = :at WHERE id = :id AND revoked_at IS NULL")
    int revoke(String id, Instant at);

    @Query("UPDATE api_keys SET last_used_at = :at WHERE id = :id AND (last_used_at IS NULL OR last_used_at < :at)")
    int touch(String id, Instant at);

    /** Whether a system administrator could still log in without this key. */
    @Query("SELECT count(*) FROM api_keys WHERE system AND revoked_at IS NULL AND id <> :id")
    int otherSystemKeys(String id);

    /** Other processes forget the key on hearing this. */
    @Query("SELECT pg_notify('bivouac_changes', :id)")
    Optional<String> tell(String id);
}
