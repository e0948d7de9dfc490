package io.bivouac.launcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The recipes of {@code ./gradlew package}, with a small program in the server's place: the real one takes minutes. */
class PackageTest {
    private static final Path SCRIPTS = Path.of("../scripts").toAbsolutePath().normalize();
    private static final Instant JARS_TIME = Instant.ofEpochSecond(1_700_000_000);

    @TempDir
    Path folder;

    private Path packed;

    private record Outcome(int status, String said) {}

    @BeforeEach
    void pack() throws Exception {
        packed = folder.resolve("bivouac-1.2.3-linux-x86_64");
        write(packed.resolve("bin/bivouac-server"), "#!/bin/sh\necho bivouac-server 1.2.3\n");
        executable(packed.resolve("bin/bivouac-server"));
        write(packed.resolve("lib/server.jar"), "jar");
        Files.setLastModifiedTime(packed.resolve("lib/server.jar"), FileTime.from(JARS_TIME));
        Files.copy(SCRIPTS.resolve("install.sh"), packed.resolve("install.sh"));
        executable(packed.resolve("install.sh"));
        run(
                "tar",
                "-C",
                folder.toString(),
                "-czf",
                tarball(),
                packed.getFileName().toString());
        var sum = run("sha256sum", tarball()).said();
        write(Path.of(tarball() + ".sha256"), sum);
    }

    @Test
    void aTarballIsInstalledReplacedAndRemoved() throws Exception {
        var prefix = folder.resolve("opt with spaces/bivouac");
        for (int i = 0; i < 2; i++) {
            var installed = install("--prefix", prefix.toString(), tarball());
            assertThat(installed.status()).as(installed.said()).isZero();
            assertThat(installed.said()).contains("bivouac-server 1.2.3 is in " + prefix);
            assertThat(prefix.resolve("bin/bivouac-server")).isExecutable();
            assertThat(Files.getLastModifiedTime(prefix.resolve("lib/server.jar"))
                            .toInstant())
                    .isEqualTo(JARS_TIME);
            assertThat(prefix.resolveSibling("bivouac.new")).doesNotExist();
            assertThat(prefix.resolveSibling("bivouac.old")).doesNotExist();
            // What a former version had and this one has not goes with it.
            assertThat(prefix.resolve("lib/former.jar")).doesNotExist();
            write(prefix.resolve("lib/former.jar"), "old");
        }
        var removed = install("--uninstall", "--prefix", prefix.toString());
        assertThat(removed.status()).as(removed.said()).isZero();
        assertThat(prefix).doesNotExist();
    }

    @Test
    void theUnpackedFolderInstallsItself() throws Exception {
        var prefix = folder.resolve("here");
        var installed = run(packed.resolve("install.sh").toString(), "--prefix", prefix.toString());
        assertThat(installed.status()).as(installed.said()).isZero();
        assertThat(Files.getLastModifiedTime(prefix.resolve("lib/server.jar")).toInstant())
                .isEqualTo(JARS_TIME);
    }

    @Test
    void aDamagedTarballAndAProgramThatDoesNotRunLeaveWhatIsThere() throws Exception {
        var prefix = folder.resolve("bivouac");
        assertThat(install("--prefix", prefix.toString(), tarball()).status()).isZero();

        write(Path.of(tarball() + ".sha256"), "0".repeat(64) + "  x\n");
        var damaged = install("--prefix", prefix.toString(), tarball());
        assertThat(damaged.status()).isEqualTo(1);
        assertThat(damaged.said()).contains("is damaged");

        write(packed.resolve("bin/bivouac-server"), "#!/bin/sh\nexit 1\n");
        var broken = run(packed.resolve("install.sh").toString(), "--prefix", prefix.toString());
        assertThat(broken.status()).isEqualTo(1);
        assertThat(broken.said()).contains("does not run here");
        assertThat(run(prefix.resolve("bin/bivouac-server").toString()).said()).isEqualTo("bivouac-server 1.2.3\n");
        assertThat(prefix.resolveSibling("bivouac.new")).doesNotExist();
    }

    @Test
    void theDebHasProgramUnitAndSettings() throws Exception {
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/dpkg-deb")), "there is no dpkg-deb here");
        var deb = folder.resolve("bivouac_1.2.3_amd64.deb").toString();
        var made = run(SCRIPTS.resolve("package-deb").toString(), packed.toString(), "1.2.3", deb);
        assertThat(made.status()).as(made.said()).isZero();
        assertThat(run("dpkg-deb", "-f", deb, "Package", "Version", "Depends").said())
                .contains("Package: bivouac", "Version: 1.2.3", "bubblewrap");

        var root = folder.resolve("root");
        assertThat(run("dpkg-deb", "-x", deb, root.toString()).status()).isZero();
        assertThat(root.resolve("opt/bivouac/bin/bivouac-server")).isExecutable();
        assertThat(Files.getLastModifiedTime(root.resolve("opt/bivouac/lib/server.jar"))
                        .toInstant())
                .isEqualTo(JARS_TIME);
        assertThat(Files.readSymbolicLink(root.resolve("usr/bin/bivouac-server")))
                .isEqualTo(Path.of("/opt/bivouac/bin/bivouac-server"));
        var unit = Files.readString(root.resolve("lib/systemd/system/bivouac.service"));
        assertThat(unit)
                .contains("ExecStart=/opt/bivouac/bin/bivouac-server --config /etc/bivouac/bivouac.yml")
                .contains("KillMode=process");
        // The settings that it comes with are ones that the server takes.
        var settings = LauncherSettings.from(
                SettingSource.of(java.util.Map.of(), java.util.Optional.of(root.resolve("etc/bivouac/bivouac.yml"))));
        assertThat(settings.dataDir()).isEqualTo(Path.of("/var/lib/bivouac"));
    }

    private String tarball() {
        return packed + ".tar.gz";
    }

    private Outcome install(String... arguments) throws Exception {
        var command = new ArrayList<>(List.of(SCRIPTS.resolve("install.sh").toString()));
        command.addAll(List.of(arguments));
        return run(command.toArray(String[]::new));
    }

    private Outcome run(String... command) throws Exception {
        var builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().put("HOME", folder.toString());
        var process = builder.start();
        var said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Outcome(process.waitFor(), said);
    }

    private static void executable(Path file) throws IOException {
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    private static void write(Path file, String text) throws IOException {
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }
}
