package io.bivouac.launcher;

import io.bivouac.foundation.database.DatabaseUrl;
import io.bivouac.launcher.doctor.Clocks;
import io.bivouac.launcher.doctor.MachineChecks;
import io.bivouac.launcher.doctor.Report;
import io.bivouac.runtimes.bubblewrap.BubblewrapSettings;
import io.bivouac.runtimes.bubblewrap.MachineExamination;
import io.bivouac.runtimes.docker.DockerRuntime;
import io.bivouac.runtimes.docker.DockerSettings;
import io.bivouac.sandboxmodel.runtime.Check;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** {@code bivouac-server doctor}: the checks of a server, without one. It starts nothing and leaves nothing. */
record OfflineDoctor(LauncherSettings settings, Progress progress) {
    /** Whether all is well. */
    boolean run(boolean json) {
        var checks = examine();
        if (json) {
            progress.say(Report.json(checks));
        } else {
            Report.lines(checks).forEach(progress::say);
        }
        return checks.stream().allMatch(Check::ok);
    }

    private List<Check> examine() {
        var checks = new ArrayList<Check>();
        checks.add(Check.fine("version", ProgramVersion.current()));
        checks.addAll(MachineChecks.of(settings.dataDir()));
        checks.add(port());
        checks.add(clock());
        checks.addAll(runtime());
        return checks;
    }

    private Check port() {
        try {
            var address = ListenAddress.choose(settings);
            return Check.fine("ports", "%s:%d is free".formatted(address.host(), address.port()));
        } catch (StartRefused taken) {
            return Check.wrong(
                    "ports",
                    taken.getMessage(),
                    "The server does not start, unless it is a server of ours that has it.",
                    "ss -ltnp 'sport = :%d' names who has it; or set BIVOUAC_PORT".formatted(settings.port()));
        }
    }

    private Check clock() {
        if (settings.databaseUrl().isEmpty()) {
            return Clocks.alone();
        }
        var url = DatabaseUrl.parse(settings.databaseUrl().get());
        try (var connection = DriverManager.getConnection(url.jdbcUrl(), url.driverProperties())) {
            return Clocks.compare(connection);
        } catch (SQLException away) {
            return Check.wrong(
                    "clock",
                    "PostgreSQL cannot be asked: " + away.getMessage(),
                    "The server does not start.",
                    "see that PostgreSQL runs and is reachable from here (BIVOUAC_DATABASE_URL)");
        }
    }

    private List<Check> runtime() {
        if (settings.runtime().equals("docker")) {
            return DockerRuntime.examine(
                    Optional.ofNullable(System.getenv("BIVOUAC_DOCKER_HOST")).orElse(DockerSettings.DEFAULT_HOST));
        }
        try {
            var scratch = Files.createTempDirectory("bivouac-doctor");
            try {
                var agent = settings.agentBinary().orElseGet(AgentProgram::fromDistribution);
                return new MachineExamination(bubblewrap(), agent, scratch).run();
            } finally {
                Files.deleteIfExists(scratch);
            }
        } catch (IOException e) {
            throw new StartRefused("No temporary folder can be made: " + e.getMessage(), e);
        }
    }

    /** Of the finer settings, those that checks depend on. */
    private static BubblewrapSettings bubblewrap() {
        var usual = BubblewrapSettings.defaults();
        var bwrap = System.getenv("BIVOUAC_BUBBLEWRAP_BWRAP");
        return bwrap == null || bwrap.isBlank() ? usual : usual.with(Path.of(bwrap));
    }
}
