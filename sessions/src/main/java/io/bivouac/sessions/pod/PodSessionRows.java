package io.bivouac.sessions.pod;

import io.micronaut.data.annotation.Query;
import io.micronaut.data.annotation.TypeDef;
import io.micronaut.data.jdbc.annotation.JdbcRepository;
import io.micronaut.data.model.DataType;
import io.micronaut.data.model.query.builder.sql.Dialect;
import io.micronaut.data.repository.GenericRepository;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** The statements on the table of sessions that Pods granted. */
@JdbcRepository(dialect = Dialect.POSTGRES)
interface PodSessionRows extends GenericRepository<PodSession, String> {
    PodSession save(PodSession session);

    Optional<PodSession> findById(String terminalId);

    @Query("""
            SELECT p.* FROM pod_sessions p JOIN terminals t ON t.id = p.terminal_id
            WHERE t.ended_at IS NULL AND t.ending IS NULL ORDER BY p.terminal_id""")
    List<PodSession> live();

    @Query("SELECT * FROM pod_sessions WHERE terminal_id IN (:terminalIds)")
    List<PodSession> findAll(List<String> terminalIds);

    @Query("""
            UPDATE pod_sessions SET granted_at = :now, permissions = CAST(:permissions AS jsonb)
            WHERE terminal_id = :terminalId""")
    int granted(String terminalId, Instant now, @TypeDef(type = DataType.JSON) SessionPermissions permissions);

    /** Where it is. */
    @Query("SELECT sandbox_id FROM terminals WHERE id = :terminalId")
    Optional<String> sandbox(String terminalId);

    /** Guests' sessions without a grant: whoever made them died before anybody was told. */
    @Query("""
            SELECT t.id FROM terminals t LEFT JOIN pod_sessions p ON p.terminal_id = t.id
            WHERE t.ended_at IS NULL AND t.ending IS NULL AND p.terminal_id IS NULL AND t.door = 'session'
              AND (t.owner LIKE 'https://%' OR t.owner LIKE 'http://%') AND t.started_at < :before""")
    List<String> withoutGrant(Instant before);
}
