package io.bivouac.runtimes.bubblewrap;

import static io.bivouac.runtimes.bubblewrap.Guard.CGROUP;
import static io.bivouac.runtimes.bubblewrap.Guard.IPC;
import static io.bivouac.runtimes.bubblewrap.Guard.NETWORK;
import static io.bivouac.runtimes.bubblewrap.Guard.NEW_SESSION;
import static io.bivouac.runtimes.bubblewrap.Guard.PIDS;
import static io.bivouac.runtimes.bubblewrap.Guard.USER_RANGE;
import static io.bivouac.runtimes.bubblewrap.Guard.UTS;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** What a workload tries in order to see or reach what is beside its sandbox. */
class SandboxAttacksTest extends AttackFixture {
    @Test
    void nobodyOutsideIsReachedByNetwork() throws IOException {
        try (var host = new ServerSocket(0, 8, InetAddress.getLoopbackAddress())) {
            heldBy(
                    null,
                    python("import socket\nsocket.create_connection(('127.0.0.1', " + host.getLocalPort() + "), 2)"),
                    NETWORK);
        }
    }

    @Test
    void processesOfTheHostAreNotSeen() {
        heldBy(null, "grep -q java /proc/" + ProcessHandle.current().pid() + "/cmdline", PIDS);
    }

    @Test
    void processesOfOtherSandboxesAreNotSeen() {
        var neighbour = sandbox(guarded());
        neighbour.shell("sleep 4242 > /dev/null 2>&1 &");
        var attack = python("""
                import glob, sys
                words = [b'sleep', b'42' + b'42']
                def seen(file):
                    try:
                        return open(file, 'rb').read().split(bytes(1))[:2] == words
                    except OSError:
                        return False
                sys.exit(0 if any(seen(file) for file in glob.glob('/proc/[0-9]*/cmdline')) else 1)""");
        succeeded("a wall between", neighbour.shell(attack));
        heldBy(null, attack, PIDS);
    }

    /** By name they are hidden; by number, as a guess, they are out of reach as well. */
    @Test
    void processesOfOtherSandboxesAreNotKilled() throws IOException {
        var whole = sandbox(guarded());
        var commonIds = sandbox(without(USER_RANGE));
        refused("all guards", sandbox(guarded()).shell("kill -9 " + sleeper(whole)));
        refused("PIDS alone", sandbox(without(USER_RANGE)).shell("kill -9 " + sleeper(commonIds)));
        refused("USER_RANGE alone", sandbox(without(PIDS)).shell("kill -9 " + sleeper(whole)));
        succeeded("both", sandbox(without(PIDS, USER_RANGE)).shell("kill -9 " + sleeper(commonIds)));
    }

    /** The id on the host of a process in that sandbox. */
    private static long sleeper(Sandbox in) throws IOException {
        in.shell("sleep 777 > /dev/null 2>&1 &");
        var namespace = Files.readSymbolicLink(Path.of("/proc/" + in.init() + "/ns/pid"));
        return ProcessHandle.allProcesses()
                .filter(process -> process.info()
                        .arguments()
                        .map(Arrays::asList)
                        .filter(words -> words.contains("777"))
                        .isPresent())
                .filter(process -> isIn(namespace, process))
                .findAny()
                .orElseThrow()
                .pid();
    }

    private static boolean isIn(Path namespace, ProcessHandle process) {
        try {
            return Files.readSymbolicLink(Path.of("/proc/" + process.pid() + "/ns/pid"))
                    .equals(namespace);
        } catch (IOException gone) {
            return false;
        }
    }

    @Test
    void sharedMemoryOfTheHostIsNotSeen() throws Exception {
        var made = new ProcessBuilder("ipcmk", "-M", "4096").start();
        var id = new String(made.getInputStream().readAllBytes()).replaceAll("\\D", "");
        try {
            heldBy(null, "ipcs -m -i " + id + " | grep -q shmid=" + id, IPC);
        } finally {
            new ProcessBuilder("ipcrm", "-m", id).start().waitFor();
        }
    }

    @Test
    void theHostsNameIsNotTold() throws IOException {
        var name = Files.readString(Path.of("/proc/sys/kernel/hostname")).strip();
        heldBy(null, "test \"$(cat /proc/sys/kernel/hostname)\" = '" + name + "'", UTS);
    }

    @Test
    void theControlGroupsNameIsNotTold() {
        heldBy(null, "grep -q sbx- /proc/self/cgroup", CGROUP);
    }

    /** Whoever shares a session shares its terminal, into which keys can be pushed. */
    @Test
    void noSessionIsSharedWithTheHost() {
        heldBy(null, python("import os, sys\nsys.exit(0 if os.getsid(1) == 0 else 1)"), NEW_SESSION);
    }

    /** Its root is nobody on the host: what belongs to the host's root stays closed even when it lies open to see. */
    @Test
    void itsRootIsNotTheHostsRoot() throws IOException {
        assertThat(readsRootsFile(guarded())).isFalse();
        assertThat(readsRootsFile(without(USER_RANGE))).isTrue();
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
}
