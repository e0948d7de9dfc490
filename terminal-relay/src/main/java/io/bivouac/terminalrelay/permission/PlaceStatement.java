package io.bivouac.terminalrelay.permission;

import io.micronaut.data.exceptions.DataAccessException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.ZoneOffset;

/**
 * Takes the turn of a question's project, and finds what is known where the question would be put: in one exchange
 * with the database, since a program waits for it.
 */
final class PlaceStatement {
    /**
     * Two statements, since the second must see what was committed while the first waited for its turn. A grant is a
     * yes to the same question, in the same terminal.
     */
    private static final String SQL = """
            SELECT pg_advisory_xact_lock(hashtextextended('bivouac/permissions/' || ?, 0));
            SELECT
              (SELECT id FROM permission_requests WHERE sandbox_id = ? AND question_id = ?) AS asked_before,
              (SELECT id FROM permission_requests
               WHERE sandbox_id = ? AND terminal_id IS NOT DISTINCT FROM CAST(? AS text)
                 AND fingerprint = ? AND granted_until > ?
               ORDER BY granted_until DESC LIMIT 1) AS covering,
              (SELECT count(*) FROM permission_requests
               WHERE state = 'open' AND project_id = ? AND sandbox_id = ?) AS open_in_sandbox,
              (SELECT count(*) FROM permission_requests WHERE state = 'open' AND project_id = ?) AS open_in_project,
              (SELECT count(*) FROM api_keys
               WHERE project_id = ? AND revoked_at IS NULL AND role IN ('admin', 'developer'))
                AS keys_that_may_answer""";

    private PlaceStatement() {}

    static PermissionPlace find(Connection connection, PermissionRequest draft, Instant now) {
        try (var statement = connection.prepareStatement(SQL)) {
            statement.setString(1, draft.projectId());
            statement.setString(2, draft.sandboxId());
            statement.setString(3, draft.questionId());
            statement.setString(4, draft.sandboxId());
            statement.setString(5, draft.terminalId());
            statement.setString(6, draft.fingerprint());
            statement.setObject(7, now.atOffset(ZoneOffset.UTC));
            statement.setString(8, draft.projectId());
            statement.setString(9, draft.sandboxId());
            statement.setString(10, draft.projectId());
            statement.setString(11, draft.projectId());
            statement.execute();
            statement.getMoreResults();
            try (var rows = statement.getResultSet()) {
                rows.next();
                return place(rows);
            }
        } catch (SQLException failed) {
            throw new DataAccessException("The question found no place: " + failed.getMessage(), failed);
        }
    }

    private static PermissionPlace place(ResultSet row) throws SQLException {
        return new PermissionPlace(
                row.getString("asked_before"),
                row.getString("covering"),
                row.getLong("open_in_sandbox"),
                row.getLong("open_in_project"),
                row.getLong("keys_that_may_answer"));
    }
}
