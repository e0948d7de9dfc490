package io.bivouac.http.health;

import io.micronaut.data.connection.jdbc.advice.DelegatingDataSource;
import jakarta.inject.Singleton;
import java.sql.SQLException;
import javax.sql.DataSource;

/** Asks the database for an answer. */
@Singleton
class DatabaseCheck implements ReadinessCheck {
    private final DataSource database;

    DatabaseCheck(DataSource database) {
        // The injected pool wants a transaction around it; a check has none.
        this.database = DelegatingDataSource.unwrapDataSource(database);
    }

    @Override
    public String part() {
        return "database";
    }

    @Override
    public void check() throws SQLException {
        try (var connection = database.getConnection();
                var statement = connection.createStatement()) {
            statement.execute("SELECT 1");
        }
    }
}
