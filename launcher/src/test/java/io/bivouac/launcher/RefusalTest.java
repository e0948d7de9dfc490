package io.bivouac.launcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a person sees who cannot start the server: one line each. */
class RefusalTest {
    @TempDir
    Path folder;

    @Test
    void anUnknownOption() throws Exception {
        try (var server = ServerProcess.start(folder, Map.of(), "--colour")) {
            assertThat(server.awaitExit()).isEqualTo(2);
            assertThat(server.output())
                    .isEqualTo("bivouac-server: Unknown option --colour. Try: bivouac-server --help\n");
        }
    }

    @Test
    void helpAndVersion() throws Exception {
        try (var help = ServerProcess.start(folder, Map.of(), "--help");
                var version = ServerProcess.start(folder, Map.of(), "--version")) {
            assertThat(help.awaitExit()).isZero();
            assertThat(help.output()).contains("BIVOUAC_DATA_DIR", "BIVOUAC_API_KEY", "--config FILE");
            assertThat(version.awaitExit()).isZero();
            assertThat(version.output()).matches("bivouac-server \\d+\\.\\d+\\.\\d+\n");
        }
    }

    @Test
    void aTakenPort() throws Exception {
        try (var taken = new ServerSocket(0, 1, InetAddress.ofLiteral("127.0.0.1"));
                var server = ServerProcess.start(folder, Map.of("BIVOUAC_PORT", "" + taken.getLocalPort()))) {
            assertThat(server.awaitExit()).isEqualTo(1);
            assertThat(server.output())
                    .startsWith("bivouac-server: Port %d on 127.0.0.1 cannot be used".formatted(taken.getLocalPort()))
                    .contains("BIVOUAC_PORT")
                    .hasLineCount(1);
        }
    }

    @Test
    void aWrongSettingBeforeAnythingIsStarted() throws Exception {
        refusedAtOnce(Map.of("BIVOUAC_API_KEY", "short"), "BIVOUAC_API_KEY has 5 characters; it must have at least 16");
        refusedAtOnce(Map.of("BIVOUAC_TOKEN_KEY", "c2hvcnQ="), "BIVOUAC_TOKEN_KEY must be at least 32 bytes");
        refusedAtOnce(Map.of("BIVOUAC_ENCRYPTION_KEY", "???"), "BIVOUAC_ENCRYPTION_KEY is not Base64");
        refusedAtOnce(Map.of("BIVOUAC_WEBHOOK_ALLOW", "everything"), "BIVOUAC_WEBHOOK_ALLOW: ");
        refusedAtOnce(Map.of("BIVOUAC_PUBLIC_URL", "sandboxes"), "BIVOUAC_PUBLIC_URL: ");
        refusedAtOnce(Map.of("BIVOUAC_DATABASE_URL", "mysql://x"), "BIVOUAC_DATABASE_URL: ");
    }

    private void refusedAtOnce(Map<String, String> settings, String words) throws Exception {
        try (var server = ServerProcess.start(folder, settings)) {
            assertThat(server.awaitExit()).isEqualTo(1);
            assertThat(server.output()).startsWith("bivouac-server: " + words).hasLineCount(1);
        }
        assertThat(folder.resolve("postgres")).doesNotExist();
        assertThat(folder.resolve("kafka")).doesNotExist();
    }

    @Test
    @Tag("soak")
    void whatIsWrongLateLeavesNoMountsAndNoProcesses() throws Exception {
        assumeTrue("root".equals(System.getProperty("user.name")), "only root mounts disks");
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwx--x--x"));
        // Read by a service that starts after the runtime has begun to make disks.
        try (var server = ServerProcess.start(folder, Map.of("BIVOUAC_AGENT_PORT", "no number"))) {
            assertThat(server.awaitExit()).isEqualTo(1);
            assertThat(server.output()).contains("bivouac-server: The services did not start");
        }
        ServerProcess.awaitNoChildOf(folder);
        var place = " " + folder.toRealPath();
        assertThat(Files.readAllLines(Path.of("/proc/self/mounts"))).noneMatch(line -> line.contains(place));
    }

    @Test
    void theDoctorStartsNothing() throws Exception {
        var data = folder.resolve("never-made");
        var settings = Map.of("BIVOUAC_BUBBLEWRAP_BWRAP", "/no/such/bwrap");
        try (var doctor = ServerProcess.start(data, settings, "doctor");
                var json = ServerProcess.start(data, settings, "--doctor", "--json")) {
            assertThat(doctor.awaitExit()).isEqualTo(1);
            assertThat(doctor.output())
                    .contains("✓ jdk", "✓ clock", "✗ bubblewrap", "there is no program /no/such/bwrap")
                    .contains("costs: No sandbox can be made.", "mend:  apt-get install bubblewrap");
            assertThat(json.awaitExit()).isEqualTo(1);
            assertThat(json.output())
                    .startsWith("{\"checks\":[{\"name\":\"version\",\"ok\":true,")
                    .contains("{\"name\":\"bubblewrap\",\"ok\":false,\"seen\":");
        }
        assertThat(data).doesNotExist();
    }

    @Test
    void aFolderThatIsNone() throws Exception {
        var file = Files.writeString(folder.resolve("file"), "");
        try (var server = ServerProcess.start(file.resolve("data"), Map.of())) {
            assertThat(server.awaitExit()).isEqualTo(1);
            assertThat(server.output())
                    .contains("The data folder " + file.resolve("data") + " is not writable")
                    .contains("BIVOUAC_DATA_DIR")
                    .hasLineCount(1);
        }
    }

    @Test
    void aFolderThatIsReadOnly() throws Exception {
        assumeTrue(!"root".equals(System.getProperty("user.name")), "root may write everywhere");
        var closed = Files.createDirectory(folder.resolve("closed"));
        closed.toFile().setWritable(false);
        try (var server = ServerProcess.start(closed, Map.of())) {
            assertThat(server.awaitExit()).isEqualTo(1);
            assertThat(server.output()).contains("is not writable").hasLineCount(1);
        }
    }

    @Test
    void dataOfANewerVersion() throws Exception {
        Files.writeString(folder.resolve("version"), "99\n");
        try (var server = ServerProcess.start(folder, Map.of())) {
            assertThat(server.awaitExit()).isEqualTo(1);
            assertThat(server.output())
                    .contains("newer Bivouac (data version 99")
                    .hasLineCount(1);
        }
    }
}
