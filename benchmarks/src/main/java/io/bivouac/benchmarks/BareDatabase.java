package io.bivouac.benchmarks;

import io.bivouac.foundation.database.DatabaseUrl;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.UUID;
import org.flywaydb.core.Flyway;

/** The tables without the program: the statements of a request, by JDBC alone. */
final class BareDatabase implements AutoCloseable {
    private static final String NAME = "bare";
    private static final String ENVELOPE = "{\"id\":\"evt_01jd0000000000000000000000\",\"type\":\"sandbox.running\","
            + "\"timestamp\":\"2026-01-01T12:00:00.031Z\",\"project\":\"prj_01jd0000000000000000000000\","
            + "\"subject\":\"sbx-01jd0000000000000000000000\",\"sequence\":4,\"data\":{\"state\":\"running\","
            + "\"template\":\"default\",\"labels\":{},\"createdAt\":\"2026-01-01T12:00:00Z\"}}";

    private final DatabaseUrl server;
    private final String url;

    private BareDatabase(DatabaseUrl server) {
        this.server = server;
        this.url = server.jdbcUrl().replaceFirst("/[^/?]+(\\?.*)?$", "/" + NAME);
    }

    /** A second database on the same server, with the same tables. */
    static BareDatabase make(String serverUrl) throws SQLException {
        var server = DatabaseUrl.parse(serverUrl);
        var bare = new BareDatabase(server);
        try (var connection = DriverManager.getConnection(server.jdbcUrl(), server.driverProperties());
                var statement = connection.createStatement()) {
            statement.execute("CREATE DATABASE " + NAME);
        }
        Flyway.configure()
                .dataSource(bare.url, server.user(), server.password())
                .locations("classpath:db/migration")
                .load()
                .migrate();
        return bare;
    }

    void addProject(String project) throws SQLException {
        try (var connection = connect();
                var statement = connection.prepareStatement("INSERT INTO projects VALUES (?, ?, 1000000, now())")) {
            statement.setString(1, project);
            statement.setString(2, project);
            statement.executeUpdate();
        }
    }

    Session session(String project) throws SQLException {
        return new Session(connect(), project);
    }

    private Connection connect() throws SQLException {
        return DriverManager.getConnection(url, server.driverProperties());
    }

    @Override
    public void close() throws SQLException {
        try (var connection = DriverManager.getConnection(server.jdbcUrl(), server.driverProperties());
                var statement = connection.createStatement()) {
            statement.execute("DROP DATABASE " + NAME + " WITH (FORCE)");
        }
    }

    /** One client. Not thread-safe. */
    static final class Session implements AutoCloseable {
        private final Connection connection;
        private final String project;
        private String latest;

        private Session(Connection connection, String project) {
            this.connection = connection;
            this.project = project;
        }

        /** What a create stores: a starting sandbox with its events, then a running one with its events. */
        void create() throws SQLException {
            var id = "sbx-" + UUID.randomUUID();
            connection.setAutoCommit(false);
            read("""
                    SELECT sandbox_limit FROM projects,
                        LATERAL (SELECT pg_advisory_xact_lock(hashtextextended(projects.id, 1))) AS lock
                    WHERE id = ?""", project);
            read("""
                    SELECT count(*) FROM sandboxes WHERE project_id = ? AND state <> 'deleted'
                        AND stop_reason IS DISTINCT FROM 'expired'""", project);
            write("""
                    INSERT INTO sandboxes (id, project_id, template, cpu, memory_bytes, disk_bytes, envs, labels,
                        runtime, host, state, keep_workspace, state_since, created_at, updated_at, expires_at,
                        timeout_seconds, announced, notice_at, version, sequence)
                    VALUES (?, ?, 'default', 1, 536870912, 1073741824, '{}', '{}', 'memory', 'host', 'starting', false,
                        now(), now(), now(), now() + interval '1 hour', 3600, false, now() + interval '55 minutes',
                        0, 2)""", id, project);
            events(id, 1);
            connection.commit();
            read("SELECT * FROM sandboxes WHERE id = ?", id);
            write("""
                    UPDATE sandboxes SET state = 'running', state_since = now(), updated_at = now(),
                        sequence = 4, version = version + 1
                    WHERE id = ? AND version = 0""", id);
            events(id, 3);
            connection.commit();
            connection.setAutoCommit(true);
            latest = id;
        }

        void get() throws SQLException {
            read("SELECT * FROM sandboxes WHERE id = ?", latest);
        }

        void list() throws SQLException {
            read("""
                    SELECT * FROM sandboxes WHERE project_id = ? AND state <> 'deleted'
                    ORDER BY id DESC LIMIT 51""", project);
        }

        private void events(String id, int first) throws SQLException {
            try (var statement = connection.prepareStatement("""
                    INSERT INTO events (id, project_id, subject, sequence, type, occurred_at, envelope)
                    VALUES (?, ?, ?, ?, 'sandbox.running', now(), ?)""")) {
                for (int sequence = first; sequence < first + 2; sequence++) {
                    statement.setString(1, "evt_" + UUID.randomUUID());
                    statement.setString(2, project);
                    statement.setString(3, id);
                    statement.setLong(4, sequence);
                    statement.setString(5, ENVELOPE);
                    statement.addBatch();
                }
                statement.executeBatch();
            }
        }

        private void write(String sql, String... values) throws SQLException {
            try (var statement = prepared(sql, values)) {
                statement.executeUpdate();
            }
        }

        private void read(String sql, String... values) throws SQLException {
            try (var statement = prepared(sql, values);
                    var rows = statement.executeQuery()) {
                while (rows.next()) {
                    readColumns(rows);
                }
            }
        }

        private static void readColumns(ResultSet rows) throws SQLException {
            for (int column = 1; column <= rows.getMetaData().getColumnCount(); column++) {
                rows.getObject(column);
            }
        }

        private PreparedStatement prepared(String sql, String... values) throws SQLException {
            var statement = connection.prepareStatement(sql);
            for (int i = 0; i < values.length; i++) {
                statement.setString(i + 1, values[i]);
            }
            return statement;
        }

        @Override
        public void close() throws SQLException {
            connection.close();
        }
    }
}
