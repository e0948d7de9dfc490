package io.bivouac.sandboxes.nfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bivouac.sandboxmodel.SandboxId;
import io.bivouac.sandboxmodel.runtime.HostFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What the host's NFS server is told; a script takes the place of the program, which needs a kernel with nfsd. {@link
 * SystemNfsOnLinuxTest} has the same said to the real one.
 */
class SystemNfsTest {
    private static final SandboxId ID = new SandboxId("sbx-01jd0000000000000000000000");

    @TempDir
    Path data;

    @Test
    void anExportIsWrittenAndRemovedForEachNetwork() throws IOException {
        var settings = new NfsSettings();
        settings.setAllow(List.of("10.0.0.0/8", "192.0.2.7", "fd00::/8"));
        settings.setPublicHost("files.example.org");
        var server = new SystemNfs(exportfs(""), settings, data);
        server.start(() -> {});
        var folder = data.resolve("disks/dsk-1/content/workspace");
        var address = server.add(ID, new HostFolder(folder, 1_001_000));
        assertThat(address.mountCommand()).isEqualTo("mount -t nfs -o actimeo=1 files.example.org:" + folder + " /mnt");
        server.remove(ID);
        server.remove(ID);
        assertThat(said())
                .anyMatch(line ->
                        line.startsWith("-o rw,sync,no_subtree_check,all_squash,anonuid=1001000,anongid=1001000")
                                && line.endsWith("10.0.0.0/8:" + folder))
                .anyMatch(line -> line.startsWith("-o rw,") && line.endsWith("192.0.2.7:" + folder))
                .anyMatch(line -> line.endsWith(" [fd00::/8]:" + folder))
                .containsOnlyOnce("-u 10.0.0.0/8:" + folder, "-u 192.0.2.7:" + folder, "-u [fd00::/8]:" + folder);
    }

    @Test
    void whatAFormerRunHasLeftGoesAndOthersExportsStay() throws IOException {
        var own = data.resolve("disks/dsk-2/content/workspace");
        var listing = own + "  10.0.0.0/8(rw,sync)\n" + own + "  fd00::/8(rw,sync)\n/srv/others  *(ro)\n";
        new SystemNfs(exportfs(listing), new NfsSettings(), data).start(() -> {});
        assertThat(said()).containsExactly("-s", "-u 10.0.0.0/8:" + own, "-u [fd00::/8]:" + own);
    }

    @Test
    void aRefusalIsToldWithItsReason() throws IOException {
        var program = data.resolve("refuses");
        Files.writeString(program, "#!/bin/sh\necho no such device >&2\nexit 1\n");
        program.toFile().setExecutable(true);
        var server = new SystemNfs(program, new NfsSettings(), data);
        assertThatThrownBy(() -> server.start(() -> {}))
                .isInstanceOf(NfsFailure.class)
                .hasMessage("exportfs refused: no such device");
    }

    @Test
    void aNetworkThatIsRefusedLeavesNoExportForTheOthers() throws IOException {
        var program = exportfs("");
        Files.writeString(program, Files.readString(program) + "case \"$*\" in -o*192.0.2.7:*) exit 1;; esac\n");
        var settings = new NfsSettings();
        settings.setAllow(List.of("10.0.0.0/8", "192.0.2.7"));
        var server = new SystemNfs(program, settings, data);
        var folder = data.resolve("disks/dsk-3/content/workspace");
        assertThatThrownBy(() -> server.add(ID, new HostFolder(folder, 1_001_000)))
                .isInstanceOf(NfsFailure.class);
        assertThat(said()).contains("-u 10.0.0.0/8:" + folder);
    }

    @Test
    void aHostWithoutItIsToldWhatToInstall() throws IOException {
        var exports = data.resolve("exports");
        assertThatThrownBy(() -> SystemNfs.program(List.of(data), exports))
                .isInstanceOf(NfsFailure.class)
                .hasMessageContaining("nfs-kernel-server");
        var program = exportfs("");
        program.toFile().setExecutable(true);
        assertThatThrownBy(() -> SystemNfs.program(List.of(data), exports))
                .isInstanceOf(NfsFailure.class)
                .hasMessageContaining("touch " + exports);
        Files.createFile(exports);
        assertThat(SystemNfs.program(List.of(data), exports)).isEqualTo(program);
    }

    /** Writes down what it is told, and lists what there is. */
    private Path exportfs(String listing) throws IOException {
        var program = data.resolve("exportfs");
        Files.writeString(data.resolve("listing"), listing);
        Files.writeString(program, """
                #!/bin/sh
                echo "$@" >> %1$s/said
                [ "$1" != -s ] || cat %1$s/listing
                """.formatted(data));
        program.toFile().setExecutable(true);
        return program;
    }

    private List<String> said() throws IOException {
        return Files.readAllLines(data.resolve("said"));
    }
}
