package io.bivouac.sandboxes.database;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.micronaut.context.annotation.Context;
import io.micronaut.context.annotation.Factory;
import jakarta.annotation.PreDestroy;
import jakarta.inject.Named;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.MigrationInfoService;
import org.flywaydb.core.api.MigrationState;

/** Makes the pool, after the migrations have run. */
@Factory
final class Database {
    private static final long GIVE_UP_MILLIS = 3_000;

    private HikariDataSource connections;

    @Context
    @Named("default")
    DataSource pool(DatabaseSettings settings) {
        var url = settings.parsed();
        migrate(url);
        var pool = new HikariConfig();
        pool.setPoolName("bivouac");
        pool.setJdbcUrl(url.jdbcUrl());
        pool.setDataSourceProperties(url.driverProperties());
        pool.setMaximumPoolSize(settings.getPoolSize());
        pool.setMinimumIdle(2);
        pool.setConnectionTimeout(GIVE_UP_MILLIS);
        pool.setValidationTimeout(1_000);
        pool.setInitializationFailTimeout(GIVE_UP_MILLIS);
        pool.addDataSourceProperty("reWriteBatchedInserts", "true");
        pool.addDataSourceProperty("prepareThreshold", "3");
        connections = new HikariDataSource(pool);
        return connections;
    }

    /** Here and not on the bean, which the framework wraps in something that cannot be closed. */
    @PreDestroy
    void close() {
        if (connections != null) {
            connections.close();
        }
    }

    private static void migrate(DatabaseUrl url) {
        var migrations = Flyway.configure()
                .dataSource(url.jdbcUrl(), url.user(), url.password())
                .failOnMissingLocations(true)
                .load();
        mustNotBeNewer(migrations.info());
        migrations.migrate();
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
