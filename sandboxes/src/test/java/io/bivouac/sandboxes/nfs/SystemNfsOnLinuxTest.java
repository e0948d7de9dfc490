package io.bivouac.sandboxes.nfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.bivouac.sandboxmodel.SandboxId;
import io.bivouac.sandboxmodel.runtime.HostFolder;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The real exportfs and the kernel's own NFS server, in a kernel that is a plain process (Debian's user-mode-linux), are
 * told what {@link SystemNfs} says; then the printed command mounts the workspace there.
 */
class SystemNfsOnLinuxTest {
    private static final Path KERNEL = Path.of("/usr/bin/linux.uml");
    private static final Path MODULES = Path.of("/usr/lib/uml/modules");
    private static final Path WORKSPACE = Path.of("/run/data/disks/dsk-1/content/workspace");
    private static final SandboxId ID = new SandboxId("sbx-01jd0000000000000000000000");
    private static final int UID = 1_001_000;
    private static final int PATIENCE_SECONDS = 120;

    @TempDir
    Path folder;

    @Test
    void theRealServerTakesWhatItIsToldAndThePrintedCommandMounts() throws Exception {
        for (var program : List.of(
                KERNEL.toString(),
                "/usr/sbin/exportfs",
                "/usr/sbin/rpc.mountd",
                "/usr/sbin/rpcbind",
                "/sbin/mount.nfs",
                "/usr/bin/busybox")) {
            assumeTrue(
                    Files.isExecutable(Path.of(program)),
                    "skipped: " + program + " is missing (packages user-mode-linux, nfs-kernel-server, busybox)");
        }
        var settings = new NfsSettings();
        settings.setAllow(List.of("127.0.0.1", "10.0.0.0/8", "fd00::/8"));
        settings.setPublicHost("127.0.0.1");
        var server = new SystemNfs(recorder(), settings, Path.of("/run/data"));
        server.start(() -> {});
        var mount = server.add(ID, new HostFolder(WORKSPACE, UID)).mountCommand();
        var added = said();
        server.remove(ID);
        var removed = said();
        var seen = boot(WORK.formatted(WORKSPACE, UID, added, mount, removed));
        assertThat(seen)
                .contains("exported to 3")
                .containsPattern("mounted nfs4?\\s")
                .contains("from inside")
                .contains("owner " + UID + " from outside")
                .contains("no longer there")
                .contains("exported to 0")
                .contains("all done");
    }

    private static final String WORK = """
            set -e
            mkdir -p %1$s; chown %2$d:%2$d %1$s; echo from inside > %1$s/reply
            %3$s
            echo exported to $(exportfs -s | grep -c %1$s)
            %4$s
            echo mounted $(awk '$2 == "/mnt" { print $3 }' /proc/mounts)
            cat /mnt/reply
            echo outside > /mnt/made
            echo owner $(stat -c %%u %1$s/made) from $(cat %1$s/made)
            %5$s
            ls /mnt > /dev/null 2>&1 || echo no longer there
            echo exported to $(exportfs -s | grep -c %1$s || true)
            umount -l /mnt
            echo all done
            """;

    /** Writes its words down, quoted for a shell. */
    private Path recorder() throws IOException {
        var program = folder.resolve("exportfs");
        Files.writeString(
                program,
                "#!/bin/sh\nprintf \"'%%s' \" exportfs \"$@\" >> %1$s/said; echo >> %1$s/said\n".formatted(folder));
        program.toFile().setExecutable(true);
        return program;
    }

    /** All that was said since this was asked before. */
    private String said() throws IOException {
        var file = folder.resolve("said");
        var words = Files.readString(file);
        Files.writeString(file, "");
        return words;
    }

    /** Gives what a script printed that ran as root, with an NFS server beside it. */
    private String boot(String script) throws Exception {
        Files.writeString(folder.resolve("work"), script);
        var init = Files.writeString(folder.resolve("init"), init());
        init.toFile().setExecutable(true);
        var builder = new ProcessBuilder(
                KERNEL.toString(),
                "mem=256M",
                "root=/dev/root",
                "rootfstype=hostfs",
                "rootflags=/",
                "ro",
                "quiet",
                "con=null",
                "con0=null,fd:1",
                "init=" + init);
        builder.environment().put("TMPDIR", "/dev/shm");
        builder.redirectErrorStream(true)
                .redirectInput(Path.of("/dev/null").toFile())
                .redirectOutput(folder.resolve("output").toFile());
        var process = builder.start();
        if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly().waitFor();
        }
        return Files.readString(folder.resolve("output"), StandardCharsets.UTF_8);
    }

    private String init() throws IOException {
        try (var versions = Files.list(MODULES)) {
            var kernel = versions.sorted().toList().getLast().resolve("kernel");
            var modules = Stream.of(
                            "net/sunrpc/sunrpc",
                            "fs/nfs_common/grace",
                            "fs/lockd/lockd",
                            "fs/nfs_common/nfs_acl",
                            "lib/oid_registry",
                            "net/sunrpc/auth_gss/auth_rpcgss",
                            "fs/netfs/netfs",
                            "fs/fscache/fscache",
                            "fs/nfs/nfs",
                            "fs/nfs/nfsv3",
                            "net/dns_resolver/dns_resolver",
                            "fs/nfs/nfsv4",
                            "fs/nfsd/nfsd")
                    .map(module -> "busybox insmod " + kernel.resolve(module + ".ko"))
                    .collect(Collectors.joining("\n"));
            return """
                    #!/bin/sh
                    export PATH=/usr/sbin:/usr/bin:/sbin:/bin
                    mount -t proc proc /proc
                    # Read first: it may lie in a folder that is hidden below.
                    work=$(cat %s/work)
                    for place in /tmp /run /var/lib/nfs; do mount -t tmpfs tmpfs $place; done
                    %s
                    mount -t nfsd nfsd /proc/fs/nfsd
                    ip link set lo up
                    mkdir -p /run/rpcbind /run/data /var/lib/nfs/v4recovery /var/lib/nfs/sm
                    mount -t tmpfs tmpfs /run/data
                    touch /var/lib/nfs/etab /var/lib/nfs/rmtab
                    touch /run/exports; mount -o bind /run/exports /etc/exports
                    rpcbind; rpc.nfsd 2; rpc.mountd 2> /dev/null
                    sh -c "$work" 2>&1
                    busybox poweroff -f
                    """.formatted(folder, modules);
        }
    }
}
