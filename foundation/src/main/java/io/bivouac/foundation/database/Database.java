package io.bivouac.foundation.database;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.micronaut.context.annotation.Context;
import io.micronaut.context.annotation.Factory;
import jakarta.annotation.PreDestroy;
import jakarta.inject.Named;
import java.sql.SQLException;
import javax.sql.DataSource;

/** Makes the pool, and gives it out when the migrations have run. */
@Factory
final class Database {
    private static final long GIVE_UP_MILLIS = 3_000;

    private HikariDataSource connections;

    @Context
    @Named("default")
    DataSource pool(DatabaseSettings settings) throws SQLException {
        var url = settings.parsed();
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
        try {
            Migrations.run(connections, url);
        } catch (SQLException | RuntimeException failed) {
            connections.close();
            throw failed;
        }
        return connections;
    }

    /** Here and not on the bean, which the framework wraps in something that cannot be closed. */
    @PreDestroy
    void close() {
        if (connections != null) {
            connections.close();
        }
    }
}
