package io.bivouac.launcher;

import static java.nio.file.attribute.PosixFilePermissions.fromString;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A machine on which sandboxes are made, but their agents never reach the server. */
class BrokenRuntimeTest {
    private static final Path AGENT = ServerProcess.DISTRIBUTION.resolve("libexec/bivouac-agent");

    @TempDir
    Path folder;

    @Test
    void itIsToldEverywhereCreatesFailAtOnceAndMendingItNeedsNoRestart() throws Exception {
        try (var site = CrashSite.openBroken(Map.of("BIVOUAC_AGENT_BINARY", mute().toString()))) {
            var output = site.server().output();
            assertThat(output).contains("has started, but is not ready");
            assertThat(site.server().valueOf("Not ready"))
                    .startsWith("the runtime: the agent of a trial sandbox did not reach the server");
            assertThat(site.api().send("GET", "/ready", "").statusCode()).isEqualTo(503);

            var began = System.nanoTime();
            var refused = site.api().create();
            assertThat(refused.statusCode()).isEqualTo(500);
            assertThat(Api.json(refused)).containsEntry("name", "SANDBOX_FAILED");
            assertThat(Api.text(refused, "detail"))
                    .startsWith("This server cannot start sandboxes: the agent of a trial sandbox")
                    .doesNotContain(site.data.toString());
            assertThat((System.nanoTime() - began) / 1_000_000)
                    .as("milliseconds")
                    .isLessThan(10_000);
            assertThat(site.api().sandboxes()).isEmpty();

            var checkup = Api.expect(200, site.api().send("GET", "/api/v1/doctor", ""))
                    .body();
            assertThat(checkup).contains("\"name\":\"trial sandbox\",\"ok\":false");
            assertThat(HostTraces.read(site.data.resolve("logs/server.log"))).contains("No sandbox can be started");

            mend(site.data);
            ServerProcess.await("the server is ready", () -> site.api().isReady());
            Api.expect(204, site.api().delete(site.api().created()));
            assertThat(Api.expect(200, site.api().send("GET", "/api/v1/doctor", ""))
                            .body())
                    .contains("\"name\":\"trial sandbox\",\"ok\":true");
        }
    }

    /** Does all that an agent does on the host, and says nothing inside. */
    private Path mute() throws Exception {
        var script = Files.writeString(folder.resolve("mute-agent"), """
                #!/bin/sh
                case "$1" in
                  serve) exec sleep 600 ;;
                  *) exec %s "$@" ;;
                esac
                """.formatted(AGENT));
        return Files.setPosixFilePermissions(script, fromString("rwxr-xr-x"));
    }

    /** In place of the one that the server has copied. */
    private static void mend(Path data) throws Exception {
        try (var installed = Files.list(data.resolve("agent"))) {
            for (var program : installed.toList()) {
                var fresh = Files.copy(AGENT, data.resolve("agent/fresh"), StandardCopyOption.REPLACE_EXISTING);
                Files.setPosixFilePermissions(fresh, fromString("rwxr-xr-x"));
                Files.move(fresh, program, StandardCopyOption.ATOMIC_MOVE);
            }
        }
    }
}
