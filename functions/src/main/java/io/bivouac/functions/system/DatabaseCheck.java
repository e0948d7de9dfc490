package io.bivouac.functions.system;

import jakarta.inject.Singleton;
import java.sql.SQLException;
import javax.sql.DataSource;

/** Asks the database for an answer. */
@Singleton
class DatabaseCheck implements ReadinessCheck {
    private final DataSource database;

    DatabaseCheck(DataSource database) {
        this.database = database;
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
