package io.bivouac.foundation.audit;

import io.micronaut.data.exceptions.DataAccessException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.ZoneOffset;

/**
 * Puts an act at the end of its project's chain, in one exchange with the database: whoever acts waits for it, and
 * holds the chain meanwhile.
 */
final class ChainStatement {
    /**
     * Two statements, since the second must see what was committed while the first waited for its turn. The hash is
     * the one of {@link AuditedAct#hashAfter}.
     */
    private static final String APPEND = """
            SELECT pg_advisory_xact_lock(hashtextextended('bivouac/audit/' || ?, 0));
            INSERT INTO audit (project_id, sequence, at, actor, action, subject, detail, previous, hash)
            SELECT ?, sequence, ?, ?, ?, ?, ?, previous,
                sha256(previous || ? || convert_to(length(sequence::text) || ':' || sequence, 'UTF8') || ?)
            FROM (
                SELECT coalesce(max(sequence), 0) + 1 AS sequence,
                    coalesce((array_agg(hash))[1], ?) AS previous
                FROM (SELECT sequence, hash FROM audit WHERE project_id = ? ORDER BY sequence DESC LIMIT 1) AS last
            ) AS place""";

    private ChainStatement() {}

    static void append(Connection connection, AuditedAct act) {
        try (var statement = connection.prepareStatement(APPEND)) {
            statement.setString(1, act.project());
            statement.setString(2, act.project());
            statement.setObject(3, act.at().atOffset(ZoneOffset.UTC));
            statement.setString(4, act.actor());
            statement.setString(5, act.action());
            statement.setString(6, act.subject());
            statement.setString(7, act.detail());
            statement.setBytes(8, act.hashedFirst());
            statement.setBytes(9, act.hashedLast());
            statement.setBytes(10, AuditRow.BEGINNING);
            statement.setString(11, act.project());
            statement.execute();
        } catch (SQLException failed) {
            throw new DataAccessException("The audit was not written: " + failed.getMessage(), failed);
        }
    }
}
