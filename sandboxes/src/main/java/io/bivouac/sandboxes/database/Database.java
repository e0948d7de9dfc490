package io.bivouac.sandboxes.database;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.micronaut.context.annotation.Bean;
import io.micronaut.context.annotation.Context;
import io.micronaut.context.annotation.Factory;
import io.micronaut.context.annotation.Primary;
import jakarta.inject.Named;
import org.flywaydb.core.Flyway;

/** Makes the pool, after the migrations have run. */
@Factory
final class Database {
    private static final long GIVE_UP_MILLIS = 3_000;

    @Context
    @Primary
    @Named("default")
    @Bean(preDestroy = "close")
    HikariDataSource pool(DatabaseSettings settings) {
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
        pool.addDataSourceProperty("socketTimeout", "30");
        pool.addDataSourceProperty("prepareThreshold", "3");
        return new HikariDataSource(pool);
    }

    private static void migrate(DatabaseUrl url) {
        Flyway.configure()
                .dataSource(url.jdbcUrl(), url.user(), url.password())
                .failOnMissingLocations(true)
                .load()
                .migrate();
    }
}
