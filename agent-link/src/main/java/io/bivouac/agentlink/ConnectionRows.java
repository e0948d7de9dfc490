package io.bivouac.agentlink;

import io.micronaut.core.annotation.Nullable;
import io.micronaut.data.annotation.Query;
import io.micronaut.data.jdbc.annotation.JdbcRepository;
import io.micronaut.data.model.query.builder.sql.Dialect;
import io.micronaut.data.repository.GenericRepository;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** The statements on the tables of connections and relays. */
@JdbcRepository(dialect = Dialect.POSTGRES)
interface ConnectionRows extends GenericRepository<ConnectionRow, String> {
    /** Gives the new epoch, or null when another relay that is up holds the connection. */
    @Query("""
            WITH taken AS (
                INSERT INTO agent_connections AS held (sandbox_id, relay, epoch, connected_at, secrets_key)
                VALUES (:sandbox, :relay, 1, :now, :secretsKey)
                ON CONFLICT (sandbox_id) DO UPDATE
                SET relay = EXCLUDED.relay, epoch = held.epoch + 1, connected_at = EXCLUDED.connected_at,
                    disconnected_at = NULL, secrets_key = EXCLUDED.secrets_key
                WHERE held.relay = EXCLUDED.relay OR held.disconnected_at IS NOT NULL
                   OR NOT EXISTS (SELECT 1 FROM relays WHERE relays.id = held.relay AND relays.seen_at > :upSince)
                RETURNING epoch)
            SELECT epoch FROM taken""")
    @Nullable Long connected(String sandbox, String relay, byte[] secretsKey, Instant now, Instant upSince);

    @Query("""
            UPDATE agent_connections SET disconnected_at = :now
            WHERE sandbox_id = :sandbox AND relay = :relay AND epoch = :epoch""")
    int disconnected(String sandbox, String relay, long epoch, Instant now);

    @Query("""
            UPDATE agent_connections SET disconnected_at = :now
            WHERE relay = :relay AND disconnected_at IS NULL""")
    int allDisconnected(String relay, Instant now);

    /** Running sandboxes whose agent has been connected to no relay since then; one that was paused has its time anew. */
    @Query("""
            SELECT s.id FROM sandboxes s
            LEFT JOIN agent_connections c ON c.sandbox_id = s.id
            LEFT JOIN relays r ON r.id = c.relay
            WHERE s.state = 'running' AND CASE
                WHEN c.sandbox_id IS NULL THEN s.state_since < :since
                WHEN c.disconnected_at IS NOT NULL THEN greatest(c.disconnected_at, s.state_since) < :since
                ELSE s.state_since < :since AND (r.id IS NULL OR r.seen_at < :since)
            END
            ORDER BY s.id LIMIT :limit""")
    List<String> lost(Instant since, int limit);

    @Query("""
            SELECT c.*, r.agent_address FROM agent_connections c JOIN relays r ON r.id = c.relay
            WHERE c.sandbox_id = :sandbox AND c.disconnected_at IS NULL AND c.relay <> :self
              AND r.seen_at > :upSince""")
    Optional<ConnectionRow> holder(String sandbox, String self, Instant upSince);

    @Query("""
            INSERT INTO relays (id, address, agent_address, seen_at) VALUES (:relay, :address, :agentAddress, :now)
            ON CONFLICT (id) DO UPDATE
            SET address = EXCLUDED.address, agent_address = EXCLUDED.agent_address, seen_at = EXCLUDED.seen_at""")
    void seen(String relay, @Nullable String address, @Nullable String agentAddress, Instant now);

    @Query("DELETE FROM relays WHERE id = :relay")
    void gone(String relay);

    @Query("DELETE FROM relays WHERE seen_at < :before")
    int forgetRelays(Instant before);
}
