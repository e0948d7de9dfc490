package io.bivouac.terminalrelay.terminal;

import io.micronaut.data.connection.jdbc.advice.DelegatingDataSource;
import io.micronaut.data.exceptions.DataAccessException;
import jakarta.inject.Singleton;
import java.sql.SQLException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Map;
import javax.sql.DataSource;

/** Writes down when terminals were last used, hundreds in one commit: each on its own would keep the disk busy. */
@Singleton
class LastActive {
    private static final String UPDATE = """
            UPDATE terminals SET active_at = seen.at
            FROM unnest(?::text[], ?::timestamptz[]) AS seen(id, at)
            WHERE terminals.id = seen.id AND active_at < seen.at AND ended_at IS NULL""";

    private final DataSource database;

    LastActive(DataSource database) {
        // The injected pool wants a transaction around it; a statement is its own.
        this.database = DelegatingDataSource.unwrapDataSource(database);
    }

    void write(Map<String, Instant> activeAt) {
        if (activeAt.isEmpty()) {
            return;
        }
        var ids = activeAt.keySet().toArray();
        var times = activeAt.values().stream()
                .map(at -> at.atOffset(ZoneOffset.UTC))
                .toArray();
        try (var connection = database.getConnection();
                var statement = connection.prepareStatement(UPDATE)) {
            connection.setAutoCommit(true);
            statement.setArray(1, connection.createArrayOf("text", ids));
            statement.setArray(2, connection.createArrayOf("timestamptz", times));
            statement.executeUpdate();
        } catch (SQLException failed) {
            throw new DataAccessException("The terminals' last use was not written: " + failed.getMessage(), failed);
        }
    }
}
