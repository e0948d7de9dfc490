package io.bivouac.webhooks.endpoint;

import io.micronaut.core.annotation.Nullable;
import io.micronaut.data.annotation.Query;
import io.micronaut.data.jdbc.annotation.JdbcRepository;
import io.micronaut.data.model.query.builder.sql.Dialect;
import io.micronaut.data.repository.GenericRepository;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** The statements on the endpoints' table. */
@JdbcRepository(dialect = Dialect.POSTGRES)
interface EndpointRows extends GenericRepository<EndpointRow, String> {
    EndpointRow save(EndpointRow row);

    @Query("SELECT * FROM webhook_endpoints WHERE id = :id AND deleted_at IS NULL")
    Optional<EndpointRow> find(String id);

    @Query("""
            SELECT * FROM webhook_endpoints WHERE project_id = :project AND deleted_at IS NULL
                AND (CAST(:before AS text) IS NULL OR id < :before)
            ORDER BY id DESC LIMIT :limit""")
    List<EndpointRow> page(String project, @Nullable String before, int limit);

    @Query("SELECT count(*) FROM webhook_endpoints WHERE project_id = :project AND deleted_at IS NULL")
    int count(String project);

    /** What changed since; deleted ones included. */
    @Query("SELECT * FROM webhook_endpoints WHERE generation > :generation ORDER BY generation")
    List<EndpointRow> changedSince(long generation);

    @Query("""
            UPDATE webhook_endpoints SET url = :url, description = :description, types = :types, enabled = :enabled,
                disabled_reason = :disabledReason, disabled_at = :disabledAt, retry = :retry, fifo = :fifo,
                rate_limit = :rateLimit, concurrency = :concurrency, signing = :signing, secret = :secret,
                previous_secret = :previousSecret, previous_until = :previousUntil, failing_since = :failingSince,
                sequence = :sequence, updated_at = :updatedAt, deleted_at = :deletedAt, version = version + 1
            WHERE id = :id AND version = :version AND deleted_at IS NULL""")
    int change(
            String id,
            long version,
            String url,
            @Nullable String description,
            String types,
            boolean enabled,
            @Nullable String disabledReason,
            @Nullable Instant disabledAt,
            String retry,
            boolean fifo,
            @Nullable Integer rateLimit,
            int concurrency,
            String signing,
            byte[] secret,
            @Nullable byte[] previousSecret,
            @Nullable Instant previousUntil,
            @Nullable Instant failingSince,
            long sequence,
            Instant updatedAt,
            @Nullable Instant deletedAt);

    /** Only the first failure counts, and it changes no version: nobody's request is in conflict with it. */
    @Query("""
            UPDATE webhook_endpoints SET failing_since = :at
            WHERE id = :id AND failing_since IS NULL AND deleted_at IS NULL""")
    int failing(String id, Instant at);

    @Query("UPDATE webhook_endpoints SET failing_since = NULL WHERE id = :id AND failing_since IS NOT NULL")
    int working(String id);

    @Query("""
            UPDATE webhook_endpoints SET previous_secret = NULL, previous_until = NULL
            WHERE previous_until < :now""")
    int forgetReplacedSecrets(Instant now);

    @Query("""
            UPDATE webhook_deliveries SET state = 'cancelled', due_at = NULL, envelope = NULL, updated_at = :at
            WHERE endpoint_id = :id AND state = 'waiting'""")
    int cancelWaiting(String id, Instant at);

    /** Makers of endpoints of one project wait for each other, so that its limit holds. */
    @Query("SELECT CAST(pg_advisory_xact_lock(hashtextextended(:project, 3)) AS text)")
    Optional<String> lock(String project);
}
