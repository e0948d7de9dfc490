package io.bivouac.sandboxes.store;

import io.bivouac.sandboxmodel.SandboxId;
import io.micronaut.core.annotation.Nullable;
import io.micronaut.core.type.Argument;
import io.micronaut.data.connection.ConnectionOperations;
import io.micronaut.data.exceptions.DataAccessException;
import io.micronaut.json.JsonMapper;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Reads rows by hand: the framework works out the name of each column of each row anew, which takes longer than the
 * statement itself, and these are the rows that everybody asks for. Thread-safe.
 */
@Singleton
class SandboxReader {
    private static final String ONE = SandboxRows.WITH_ENVS + "WHERE id = ?";

    private static final String PAGE = SandboxRows.WITHOUT_ENVS + """
            WHERE project_id = ? AND state <> 'deleted'
              AND (?::text IS NULL OR id < ?)
              AND (?::text IS NULL OR state = ?)
              AND (?::text IS NULL OR template = ?)
              AND (?::text IS NULL OR labels @> ?::jsonb)
            ORDER BY id DESC LIMIT ?""";

    private static final String ON_HOST =
            SandboxRows.WITHOUT_ENVS + "WHERE host = ? AND runtime = ? AND state <> 'deleted'";

    private static final String TIMELY = """
            (SELECT id, false AS over FROM sandboxes
                WHERE notice_at <= ? AND state NOT IN ('deleted', 'stopping')
                  AND stop_reason IS DISTINCT FROM 'expired'
                ORDER BY notice_at LIMIT ?)
            UNION ALL
            (SELECT id, true FROM sandboxes
                WHERE expires_at <= ? AND state NOT IN ('deleted', 'stopping')
                  AND (stop_reason IS DISTINCT FROM 'expired' OR (state = 'error' AND state_since <= ?))
                ORDER BY expires_at LIMIT ?)""";

    private static final Argument<Map<String, String>> WORDS = Argument.mapOf(String.class, String.class);
    private static final Argument<List<String>> HOSTS = Argument.listOf(String.class);

    private final ConnectionOperations<Connection> connections;
    private final JsonMapper json;

    SandboxReader(ConnectionOperations<Connection> connections, JsonMapper json) {
        this.connections = connections;
        this.json = json;
    }

    Optional<SandboxRow> find(String id) {
        return read(ONE, statement -> statement.setString(1, id)).stream().findFirst();
    }

    /** The newest first; without their environments. */
    List<SandboxRow> page(String project, SandboxFilter filter, @Nullable String labels, int limit) {
        return read(PAGE, statement -> {
            var state = filter.state() == null ? null : filter.state().wireName();
            int parameter = 1;
            statement.setString(parameter++, project);
            for (var wanted : new String[] {filter.cursor(), state, filter.template(), labels}) {
                statement.setString(parameter++, wanted);
                statement.setString(parameter++, wanted);
            }
            statement.setInt(parameter, limit);
        });
    }

    List<SandboxRow> onHost(String host, String runtime) {
        return read(ON_HOST, statement -> {
            statement.setString(1, host);
            statement.setString(2, runtime);
        });
    }

    /** Asked every second, so both questions are one. */
    TimelySandboxes timely(Instant now, Instant failedBefore, int limit) {
        return read(
                TIMELY,
                statement -> {
                    statement.setObject(1, now.atOffset(ZoneOffset.UTC));
                    statement.setInt(2, limit);
                    statement.setObject(3, now.atOffset(ZoneOffset.UTC));
                    statement.setObject(4, failedBefore.atOffset(ZoneOffset.UTC));
                    statement.setInt(5, limit);
                },
                rows -> {
                    var noticeDue = new ArrayList<SandboxId>();
                    var overdue = new ArrayList<SandboxId>();
                    while (rows.next()) {
                        (rows.getBoolean(2) ? overdue : noticeDue).add(new SandboxId(rows.getString(1)));
                    }
                    return new TimelySandboxes(noticeDue, overdue);
                });
    }

    /** Says what the question marks stand for. */
    private interface Parameters {
        void fill(PreparedStatement statement) throws SQLException;
    }

    private interface Reading<T> {
        T of(ResultSet rows) throws SQLException;
    }

    private List<SandboxRow> read(String sql, Parameters parameters) {
        return read(sql, parameters, this::rows);
    }

    /** In the transaction under way, if there is one. */
    private <T> T read(String sql, Parameters parameters, Reading<T> reading) {
        return connections.executeRead(status -> {
            try (var statement = status.getConnection().prepareStatement(sql)) {
                parameters.fill(statement);
                try (var rows = statement.executeQuery()) {
                    return reading.of(rows);
                }
            } catch (SQLException failed) {
                throw new DataAccessException("Sandboxes were not read: " + failed.getMessage(), failed);
            }
        });
    }

    private List<SandboxRow> rows(ResultSet rows) throws SQLException {
        var read = new ArrayList<SandboxRow>();
        while (rows.next()) {
            read.add(row(rows));
        }
        return read;
    }

    /** In the order of {@link SandboxRows#WITH_ENVS}. */
    private SandboxRow row(ResultSet row) throws SQLException {
        return new SandboxRow(
                row.getString(1),
                row.getString(2),
                row.getString(3),
                row.getString(4),
                row.getDouble(5),
                row.getLong(6),
                row.getLong(7),
                words(row.getString(8)),
                words(row.getString(9)),
                row.getString(10),
                hosts(row.getString(11)),
                row.getBoolean(12),
                row.getString(13),
                row.getString(14),
                row.getString(15),
                row.getString(16),
                row.getString(17),
                row.getString(18),
                row.getBoolean(19),
                time(row, 20),
                time(row, 21),
                time(row, 22),
                time(row, 23),
                row.getLong(24),
                row.getBoolean(25),
                time(row, 26),
                row.getLong(27),
                row.getLong(28));
    }

    private Map<String, String> words(String text) {
        return text.equals("{}") ? Map.of() : parsed(text, WORDS);
    }

    private List<String> hosts(String text) {
        return text.equals("[]") ? List.of() : parsed(text, HOSTS);
    }

    private <T> T parsed(String text, Argument<T> type) {
        try {
            return json.readValue(text, type);
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
    }

    private static @Nullable Instant time(ResultSet row, int column) throws SQLException {
        var time = row.getObject(column, OffsetDateTime.class);
        return time == null ? null : time.toInstant();
    }
}
