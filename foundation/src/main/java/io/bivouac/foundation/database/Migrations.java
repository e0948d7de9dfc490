package io.bivouac.foundation.database;

import java.sql.SQLException;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.MigrationInfoService;
import org.flywaydb.core.api.MigrationState;

/** Brings the tables to what this program expects. */
final class Migrations {
    /** The number of the last migration; they are numbered from 1 without a gap. */
    static final int NEWEST = 25;

    private static final String UNDEFINED_TABLE = "42P01";

    private Migrations() {}

    /** Asks Flyway only when there may be something to do: its own start takes longer than all else here. */
    static void run(DataSource pool, DatabaseUrl url) throws SQLException {
        if (areDone(pool)) {
            return;
        }
        var migrations = Flyway.configure()
                .dataSource(url.jdbcUrl(), url.user(), url.password())
                .failOnMissingLocations(true)
                .load();
        mustNotBeNewer(migrations.info());
        migrations.migrate();
    }

    private static boolean areDone(DataSource pool) throws SQLException {
        var question = "SELECT count(*) = ? AND max(version::int) = ? AND bool_and(success) FROM flyway_schema_history";
        try (var connection = pool.getConnection();
                var statement = connection.prepareStatement(question)) {
            statement.setInt(1, NEWEST);
            statement.setInt(2, NEWEST);
            try (var answer = statement.executeQuery()) {
                return answer.next() && answer.getBoolean(1);
            }
        } catch (SQLException failed) {
            if (UNDEFINED_TABLE.equals(failed.getSQLState())) {
                return false;
            }
            throw failed;
        }
    }

    /** What a newer program has made of the tables would not be understood, and could be spoilt. */
    private static void mustNotBeNewer(MigrationInfoService known) {
        for (var migration : known.all()) {
            var state = migration.getState();
            if (state == MigrationState.FUTURE_SUCCESS || state == MigrationState.FUTURE_FAILED) {
                throw new IllegalStateException(
                        "the database was written by a newer Bivouac, which has made the change "
                                + migration.getVersion() + " (" + migration.getDescription()
                                + "); use that version, or another database");
            }
        }
    }
}
