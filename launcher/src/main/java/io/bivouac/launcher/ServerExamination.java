package io.bivouac.launcher;

import io.bivouac.http.health.Examination;
import io.bivouac.launcher.doctor.Clocks;
import io.bivouac.launcher.doctor.MachineChecks;
import io.bivouac.sandboxmodel.runtime.Check;
import io.micronaut.context.annotation.Value;
import io.micronaut.data.connection.jdbc.advice.DelegatingDataSource;
import jakarta.inject.Singleton;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;

/** The machine as a server sees it that runs. */
@Singleton
class ServerExamination implements Examination {
    private final Path data;
    private final String listening;
    private final DataSource database;

    ServerExamination(
            @Value("${bivouac.data-dir}") Path data,
            @Value("${micronaut.server.host}:${micronaut.server.port}") String listening,
            DataSource database) {
        this.data = data;
        this.listening = listening;
        this.database = DelegatingDataSource.unwrapDataSource(database);
    }

    @Override
    public List<Check> examine() {
        var checks = new ArrayList<>(MachineChecks.of(data));
        checks.add(Check.fine("ports", "the server listens at " + listening));
        checks.add(clock());
        return checks;
    }

    private Check clock() {
        try (var connection = database.getConnection()) {
            return Clocks.compare(connection);
        } catch (SQLException away) {
            return Check.wrong(
                    "clock",
                    "PostgreSQL cannot be asked: " + away.getMessage(),
                    "Requests are answered 503.",
                    "see that PostgreSQL runs and is reachable from here (BIVOUAC_DATABASE_URL)");
        }
    }
}
