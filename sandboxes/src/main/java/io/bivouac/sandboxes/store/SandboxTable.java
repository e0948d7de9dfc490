package io.bivouac.sandboxes.store;

import io.bivouac.foundation.paging.Page;
import io.bivouac.sandboxmodel.SandboxId;
import io.micronaut.data.connection.ConnectionOperations;
import io.micronaut.data.exceptions.DataAccessException;
import jakarta.inject.Singleton;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Reads and changes rows by hand: the framework works out the name of each column of each row anew, which takes longer
 * than the statement itself, and these are the rows that everybody asks for. Thread-safe.
 */
@Singleton
class SandboxTable {
    private static final String ONE = SandboxMapper.SELECT + "WHERE id = ?";

    /** The column after the sandbox's own: what its large fields have as JSON. */
    private static final int BYTES = SandboxColumn.ALL.size() + 1;

    /** By the moment of the create: the id of one that was started ahead is older than that. */
    private static final String PAGE = """
            SELECT * FROM (
              SELECT m.*, sum(bytes) OVER (ORDER BY created_at DESC, id DESC""" + " " + Page.BEFORE + ") AS bytes_before FROM ("
            + "SELECT s.*, octet_length(labels::text) + octet_length(egress::text) AS bytes FROM ("
            + SandboxMapper.SELECT_WITHOUT_ENVS + """
            WHERE project_id = ? AND state <> 'deleted'
              AND (?::text IS NULL OR (created_at, id) < (SELECT created_at, id FROM sandboxes WHERE id = ?))
              AND (?::text IS NULL OR ? = CASE WHEN state = 'stopped' AND stop_reason = 'expired' THEN 'expired' ELSE state END)
              AND (?::text IS NULL OR template = ?)
              AND (?::text IS NULL OR labels @> ?::jsonb)
            ORDER BY created_at DESC, id DESC LIMIT ?) s) m) p
            WHERE coalesce(bytes_before, 0) <= """ + Page.LARGEST_BYTES + " ORDER BY created_at DESC, id DESC";

    private static final String ON_HOST =
            SandboxMapper.SELECT_WITHOUT_ENVS + "WHERE host = ? AND runtime = ? AND state <> 'deleted'";

    private static final String NAMED = """
            SELECT id, stop_reason IS NOT DISTINCT FROM 'expired' FROM sandboxes
            WHERE project_id = ? AND state <> 'deleted' AND name = ?
            ORDER BY stop_reason IS NOT DISTINCT FROM 'expired', id DESC LIMIT ?""";

    /** A project has few enough to look at each. */
    private static final String BEGINNING = NAMED.replace("name = ?", "starts_with(id, ?)");

    private static final String TIMELY = """
            (SELECT id, false AS over FROM sandboxes
                WHERE notice_at <= ? AND state NOT IN ('deleted', 'stopping')
                  AND coalesce(stop_reason, '') NOT IN ('expired', 'time_over')
                ORDER BY notice_at LIMIT ?)
            UNION ALL
            (SELECT id, true FROM sandboxes
                WHERE expires_at <= ? AND state NOT IN ('deleted', 'stopping')
                  AND (coalesce(stop_reason, '') NOT IN ('expired', 'time_over') OR (state = 'error' AND state_since <= ?))
                ORDER BY expires_at LIMIT ?)""";

    private final ConnectionOperations<Connection> connections;
    private final SandboxMapper mapper;

    SandboxTable(ConnectionOperations<Connection> connections, SandboxMapper mapper) {
        this.connections = connections;
        this.mapper = mapper;
    }

    Optional<SandboxRow> find(String id) {
        return read(ONE, statement -> statement.setString(1, id)).stream().findFirst();
    }

    /** The newest first; without their environments. */
    Page<SandboxRow> page(String project, SandboxFilter filter) {
        var labels = filter.labels().isEmpty() ? null : mapper.asJson(filter.labels());
        var oneMore = read(
                PAGE,
                statement -> {
                    var state = filter.state();
                    int parameter = 1;
                    statement.setString(parameter++, project);
                    for (var wanted : new String[] {filter.cursor(), state, filter.template(), labels}) {
                        statement.setString(parameter++, wanted);
                        statement.setString(parameter++, wanted);
                    }
                    statement.setInt(parameter, filter.limit() + 1);
                },
                this::measured);
        return Page.of(oneMore, filter.limit(), found -> found.row().id(), Measured::bytes)
                .map(Measured::row);
    }

    private record Measured(SandboxRow row, long bytes) {}

    private List<Measured> measured(ResultSet rows) throws SQLException {
        var read = new ArrayList<Measured>();
        while (rows.next()) {
            read.add(new Measured(mapper.read(rows), rows.getLong(BYTES)));
        }
        return read;
    }

    List<SandboxRow> onHost(String host, String runtime) {
        return read(ON_HOST, statement -> {
            statement.setString(1, host);
            statement.setString(2, runtime);
        });
    }

    /** Those that have not expired first. */
    List<NamedSandboxes.Named> named(String project, String name, int limit) {
        return named(NAMED, project, name, limit);
    }

    List<NamedSandboxes.Named> beginningWith(String project, String start, int limit) {
        return named(BEGINNING, project, start, limit);
    }

    private List<NamedSandboxes.Named> named(String sql, String project, String text, int limit) {
        return read(
                sql,
                statement -> {
                    statement.setString(1, project);
                    statement.setString(2, text);
                    statement.setInt(3, limit);
                },
                rows -> {
                    var found = new ArrayList<NamedSandboxes.Named>();
                    while (rows.next()) {
                        found.add(new NamedSandboxes.Named(rows.getString(1), rows.getBoolean(2)));
                    }
                    return found;
                });
    }

    /** Whether it was stored; false when somebody else changed the row since that version. */
    boolean change(SandboxRow row, long versionBefore) {
        return connections.executeWrite(status -> {
            try (var update = status.getConnection().prepareStatement(SandboxMapper.UPDATE)) {
                mapper.fill(update, row, versionBefore);
                return update.executeUpdate() == 1;
            } catch (SQLException failed) {
                throw new DataAccessException("A sandbox was not changed: " + failed.getMessage(), failed);
            }
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
            read.add(mapper.read(rows));
        }
        return read;
    }
}
