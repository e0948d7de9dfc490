package io.bivouac.runtimes.bubblewrap;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;

/** What a workload tries in order to get out, and what a guard each holds it back with. */
class SandboxAttacksTest extends AttackFixture {
    @Test
    void nobodyOutsideIsReachedByNetwork() throws IOException {
        try (var host = new ServerSocket(0, 8, InetAddress.getLoopbackAddress())) {
            fails(
                    python("import socket\nsocket.create_connection(('127.0.0.1', " + host.getLocalPort() + "), 2)"),
                    without(all -> outer(false, true, true, true, true, true)));
        }
    }

    @Test
    void processesOfTheHostAreNotSeen() {
        long ours = ProcessHandle.current().pid();
        fails("grep -q java /proc/" + ours + "/cmdline", without(all -> outer(true, false, true, true, true, true)));
    }

    @Test
    void processesOfOtherSandboxesAreNotSeen() {
        var neighbour = sandbox(guarded());
        neighbour.shell("sleep 4242 > /dev/null 2>&1 &");
        var attack = "grep -aq 4242 /proc/[0-9]*/cmdline";
        assertThat(neighbour.shell("cat /proc/[0-9]*/cmdline | tr '\\0' ' '").stdout())
                .contains("sleep");
        assertThat(sandbox(guarded()).shell(attack.replace("4242", "42''42")).exitCode())
                .isNotZero();
    }

    @Test
    void sharedMemoryOfTheHostIsNotSeen() throws Exception {
        var made = new ProcessBuilder("ipcmk", "-M", "4096").start();
        var id = new String(made.getInputStream().readAllBytes()).replaceAll("\\D", "");
        try {
            fails(
                    "ipcs -m -i " + id + " | grep -q shmid=" + id,
                    without(all -> outer(true, true, false, true, true, true)));
        } finally {
            new ProcessBuilder("ipcrm", "-m", id).start().waitFor();
        }
    }

    @Test
    void theHostsNameIsNotTold() throws IOException {
        var name = Files.readString(java.nio.file.Path.of("/proc/sys/kernel/hostname"))
                .strip();
        fails(
                "test \"$(cat /proc/sys/kernel/hostname)\" = '" + name + "'",
                without(all -> outer(true, true, true, false, true, true)));
    }

    @Test
    void theControlGroupsNameIsNotTold() {
        fails("grep -q sbx- /proc/self/cgroup", without(all -> outer(true, true, true, true, false, true)));
    }

    /** Its root is nobody on the host: what belongs to the host's root stays closed even when it lies open to see. */
    @Test
    void itsRootIsNotTheHostsRoot() throws IOException {
        assertThat(readsRootsFile(guarded())).isFalse();
        assertThat(readsRootsFile(without(all -> outer(true, true, true, true, true, false))))
                .isTrue();
    }

    private boolean readsRootsFile(Machine on) throws IOException {
        var target = sandbox(on);
        target.as("root", "echo marker > /workspace/here");
        try (var disks = Files.newDirectoryStream(test().data.resolve("disks"))) {
            for (var disk : disks) {
                var workspace = disk.resolve("content/workspace");
                if (Files.exists(workspace.resolve("here"))) {
                    var secret = Files.writeString(workspace.resolve("secret"), "secret");
                    Files.setPosixFilePermissions(secret, PosixFilePermissions.fromString("rw-------"));
                    Files.delete(workspace.resolve("here"));
                }
            }
        }
        return target.as("root", "cat /workspace/secret").exitCode() == 0;
    }

    @Test
    void theAgentsTokenIsNotRead() {
        fails("cat /run/bivouac/token", without(all -> inner(true, true, true, false)));
        fails("ls /run/bivouac/relay", without(all -> inner(true, true, true, false)));
    }

    @Test
    void theAgentIsNeitherTracedNorRead() {
        var attack = python("""
                import ctypes, os, sys
                libc = ctypes.CDLL(None, use_errno=True)
                sys.exit(0 if libc.ptrace(0x4206, 1, 0, 0) == 0 else 1)""");
        fails(attack, without(all -> inner(false, false, false, false)));
        assertThat(sandbox(guarded())
                        .shell("cat /proc/1/environ /proc/1/maps || ls -l /proc/1/fd")
                        .exitCode())
                .isNotZero();
    }

    @Test
    void nothingIsMounted() {
        fails("mount -t tmpfs none /tmp", without(all -> inner(false, false, false, false)));
    }

    @Test
    void noNamespaceIsMade() {
        fails("unshare --user true", without(all -> inner(false, true, true, true)));
    }

    @Test
    void noKeyringIsReached() {
        fails(python("""
                        import ctypes, sys
                        libc = ctypes.CDLL(None, use_errno=True)
                        sys.exit(0 if libc.syscall(250, 0, -3, 1) >= 0 else 1)"""), without(all -> inner(false, true, true, true)));
    }

    @Test
    void noRawSocketIsOpened() {
        fails(
                python("import socket\nsocket.socket(socket.AF_INET, socket.SOCK_RAW, socket.IPPROTO_ICMP)"),
                without(all -> inner(false, false, false, false)));
    }

    /** By two guards at once, no_new_privs and nosuid; neither is switched off here without the other. */
    @Test
    void aSetuidProgramGivesNothing() {
        var target = sandbox(guarded());
        target.as("root", "cp /usr/bin/id /tmp/id && chmod 4755 /tmp/id");
        assertThat(target.shell("/tmp/id -u").stdout().strip()).isEqualTo("1000");
        assertThat(target.shell("cat /proc/mounts | grep ' /workspace ' | grep -c nosuid")
                        .stdout()
                        .strip())
                .isEqualTo("1");
    }

    @Test
    void noPathLeadsToTheHostsFiles() throws IOException {
        var target = sandbox(guarded());
        var data = test().data;
        for (var path : new String[] {
            "/etc/shadow",
            "/workspace/../../../../etc/shadow",
            "/proc/1/root/etc/shadow",
            "/proc/self/root/etc/shadow",
            data.toString(),
            "/var/run/docker.sock",
            "/run/docker.sock",
            TestRelay.sockets().toString(),
            "/root/../home/../.." + data
        }) {
            assertThat(target.shell("ls " + path).exitCode()).as(path).isNotZero();
            assertThat(target.shell("ln -sfn " + path
                                    + " /workspace/link && ls /workspace/link/ || cat /workspace/link")
                            .exitCode())
                    .as("link to " + path)
                    .isNotZero();
        }
    }

    /** As the sandbox's own root, which an API call may ask for. */
    @Test
    void theKernelsOwnFilesAreClosed() {
        var target = sandbox(guarded());
        for (var attack : new String[] {
            "head -c 1 /proc/kcore",
            "echo h > /proc/sysrq-trigger",
            "echo 1 > /proc/sys/kernel/panic",
            "echo x > /proc/sys/kernel/core_pattern",
            "ls /sys/kernel",
            "head -c 1 /dev/mem",
            "ls /dev/vda /dev/sda /dev/loop-control",
            "mknod /tmp/disk b 254 0 && head -c 1 /tmp/disk",
            "dmesg | head -n 1 | grep ."
        }) {
            assertThat(target.as("root", attack).exitCode()).as(attack).isNotZero();
        }
    }
}
