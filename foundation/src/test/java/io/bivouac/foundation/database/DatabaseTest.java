package io.bivouac.foundation.database;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bivouac.foundation.fixture.TestStack;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.postgresql.PGConnection;

class DatabaseTest {
    private final String url = TestStack.get().postgres().url();

    @Test
    void aDatabaseOfANewerProgramIsRefused() throws SQLException {
        var database = "newer_" + System.nanoTime();
        var there = url.substring(0, url.lastIndexOf('/') + 1) + database;
        execute(url, "CREATE DATABASE " + database);
        open(there);
        execute(there, """
                INSERT INTO flyway_schema_history
                    (installed_rank, version, description, type, script, installed_by, execution_time, success)
                VALUES (9999, '9999', 'dreams', 'SQL', 'V9999__dreams.sql', 'somebody', 1, true)""");
        assertThatThrownBy(() -> open(there))
                .hasMessage("the database was written by a newer Bivouac, which has made the change 9999 (dreams);"
                        + " use that version, or another database");
    }

    @Test
    void theNewestMigrationIsKnown() throws IOException {
        try (var files = Files.list(Path.of("src/main/resources/db/migration"))) {
            assertThat(files.map(file -> file.getFileName().toString().replaceFirst("^V(\\d+)__.*", "$1")))
                    .containsExactlyInAnyOrderElementsOf(IntStream.rangeClosed(1, Migrations.NEWEST)
                            .mapToObj(Integer::toString)
                            .toList());
        }
    }

    /** A server that vanishes without a word must not hold a lock's or a feed's thread for ever. */
    @Test
    void aConnectionOutsideThePoolWaitsForNoAnswerForEver() throws SQLException {
        try (var connection = connect(url)) {
            assertThat(connection.getNetworkTimeout()).isEqualTo(30_000);
            connection.unwrap(PGConnection.class).getNotifications(50);
            assertThat(connection.isValid(1)).as("after a quiet wait").isTrue();
            assertThat(connection.getNetworkTimeout()).isEqualTo(30_000);
        }
    }

    /** As a server does at its start. */
    private static void open(String url) throws SQLException {
        var settings = new DatabaseSettings();
        settings.setUrl(url);
        var database = new Database();
        try {
            database.pool(settings);
        } finally {
            database.close();
        }
    }

    private static void execute(String url, String sql) throws SQLException {
        try (var connection = connect(url);
                var statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private static Connection connect(String url) throws SQLException {
        var parsed = DatabaseUrl.parse(url);
        return DriverManager.getConnection(parsed.jdbcUrl(), parsed.driverProperties());
    }
}
