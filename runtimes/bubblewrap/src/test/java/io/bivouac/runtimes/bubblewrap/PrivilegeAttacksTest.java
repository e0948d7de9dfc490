package io.bivouac.runtimes.bubblewrap;

import static io.bivouac.runtimes.bubblewrap.Guard.DROP_CAPABILITIES;
import static io.bivouac.runtimes.bubblewrap.Guard.OWN_ROOT;
import static io.bivouac.runtimes.bubblewrap.Guard.SECCOMP;
import static io.bivouac.runtimes.bubblewrap.Guard.SWITCH_USER;
import static io.bivouac.runtimes.bubblewrap.Guard.USER_RANGE;
import static org.assertj.core.api.Assertions.assertThat;

import io.bivouac.sandboxmodel.Resources;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a workload tries in order to get rights that it was not given. */
class PrivilegeAttacksTest extends AttackFixture {
    private static final String CALL = """
            import ctypes, sys
            libc = ctypes.CDLL(None, use_errno=True)
            """;
    private static final String TRACE_AGENT = python(CALL + "sys.exit(0 if libc.ptrace(0x4206, 1, 0, 0) == 0 else 1)");

    @Test
    void theAgentsTokenIsNotRead() {
        heldBy(null, "cat /run/bivouac/token", SWITCH_USER);
        heldBy(null, "ls /run/bivouac/relay", SWITCH_USER);
    }

    @ParameterizedTest
    @ValueSource(strings = {"environ", "maps", "mem", "fd/0", "root/etc/passwd"})
    void theAgentIsNotRead(String file) {
        heldBy(null, "head -c 0 /proc/1/" + file, SWITCH_USER, DROP_CAPABILITIES);
        heldBy("root", "head -c 0 /proc/1/" + file, DROP_CAPABILITIES);
    }

    @Test
    void theAgentIsNotTraced() {
        heldBy(null, TRACE_AGENT, SWITCH_USER, DROP_CAPABILITIES);
        heldBy("root", TRACE_AGENT, DROP_CAPABILITIES);
    }

    /** As the sandbox's own root, which an API call may ask for; the ordinary user is further from it. */
    @Test
    void nothingIsMounted() {
        heldBy("root", "mount -t tmpfs none /tmp", SECCOMP, DROP_CAPABILITIES);
    }

    @Test
    void noRawSocketIsOpened() {
        heldBy(
                "root",
                python("import socket\nsocket.socket(socket.AF_INET, socket.SOCK_RAW, socket.IPPROTO_ICMP)"),
                SECCOMP,
                DROP_CAPABILITIES);
    }

    @Test
    void noNamespaceIsMade() {
        heldBy(null, "unshare --user true", SECCOMP);
    }

    /** A launch rule's word; what else holds a sandbox together holds as before. */
    @Test
    void aSandboxForNestingMakesNamespacesAndNothingMore() {
        var nested = nested();
        assertThat(nested.shell("unshare --user --map-root-user --mount true").exitCode())
                .isZero();
        assertThat(nested.shell("cat /run/bivouac/token").exitCode()).isNotZero();
        assertThat(nested.shell("unshare --user --map-root-user --mount umount /usr")
                        .exitCode())
                .isNotZero();
        assertThat(nested.shell("unshare --user --map-root-user --mount mount -o remount,rw /usr")
                        .exitCode())
                .isNotZero();
    }

    @Test
    void noKeyringIsReached() {
        heldBy(null, python(CALL + "sys.exit(0 if libc.syscall(250, 0, -3, 1) >= 0 else 1)"), SECCOMP);
    }

    /** Whether the ids and capabilities hold as well is for the host to say (kernel.dmesg_restrict). */
    @Test
    void theKernelsLogIsNotRead() {
        var attack = python(CALL + "sys.exit(0 if libc.klogctl(3, ctypes.create_string_buffer(99), 99) >= 0 else 1)");
        refused("all guards", sandbox(guarded()).as("root", attack));
        var others = without(USER_RANGE, DROP_CAPABILITIES);
        refused("SECCOMP alone", sandbox(others).as("root", attack));
        var none = without(USER_RANGE, DROP_CAPABILITIES, SECCOMP);
        succeeded("any of them", sandbox(none).as("root", attack));
    }

    /** Bubblewrap itself sets both guards, so they are taken away from outside. */
    @Test
    void aSetuidProgramGivesNothing() throws Exception {
        var whole = sandbox(guarded());
        whole.as("root", "cp /usr/bin/id /tmp/id && chmod 4755 /tmp/id");
        assertThat(whole.shell("/tmp/id -u").stdout().strip()).isEqualTo("1000");
        onPlainFolders(Guards.ALL, target -> {
            var enter = new String[] {"-U", "-S", "1000", "-G", "1000", "/tmp/id", "-u"};
            target.as("root", "cp /usr/bin/id /tmp/id && chmod 4755 /tmp/id");
            assertThat(target.fromOutside(enter).stdout().strip())
                    .as("nosuid alone")
                    .isEqualTo("1000");
            succeeded("a way to mount", target.fromOutside("mount", "-o", "remount,bind,suid", "/tmp"));
            assertThat(target.shell("/tmp/id -u").stdout().strip())
                    .as("no_new_privs alone")
                    .isEqualTo("1000");
            assertThat(target.fromOutside(enter).stdout().strip()).as("neither").isEqualTo("0");
        });
    }

    @Test
    void noDeviceIsMade() throws Exception {
        var attack = "mknod /tmp/zero c 1 5 && head -c 1 /tmp/zero";
        refused("all guards", sandbox(guarded()).as("root", attack));
        onPlainFolders(new Guards(Set.of(DROP_CAPABILITIES)), target -> {
            allowDevices(target);
            refused("USER_RANGE alone", target.as("root", attack));
        });
        onPlainFolders(new Guards(Set.of(USER_RANGE)), target -> {
            allowDevices(target);
            refused("DROP_CAPABILITIES alone", target.as("root", attack));
        });
        onPlainFolders(new Guards(Set.of(USER_RANGE, DROP_CAPABILITIES)), target -> {
            refused("nodev alone", target.as("root", attack));
            allowDevices(target);
            succeeded("any of them", target.as("root", "rm -f /tmp/zero; " + attack));
        });
    }

    private static void allowDevices(Sandbox target) throws Exception {
        // Once a command has run, its mounts are all there.
        target.shell("true");
        succeeded("a way to mount", target.fromOutside("mount", "-o", "remount,bind,dev", "/tmp"));
    }

    /** Each writes back what is there: where the guard is gone, it is the host's own setting. */
    @ParameterizedTest
    @ValueSource(strings = {"kernel/panic", "kernel/core_pattern", "vm/overcommit_memory"})
    void noSettingOfTheKernelIsChanged(String setting) {
        var file = "/proc/sys/" + setting;
        heldBy("root", "value=$(cat %s) && echo \"$value\" > %s".formatted(file, file), USER_RANGE);
    }

    @ParameterizedTest
    @ValueSource(strings = {"ls /sys/kernel", "ls /dev/loop-control", "ls /dev/kmsg"})
    void theMachineIsNotShown(String attack) {
        heldBy("root", attack, OWN_ROOT);
    }

    private interface Attempt {
        void on(Sandbox target) throws Exception;
    }

    /** On disks that are folders of the host: an image's mount could not be changed from inside its namespace. */
    private void onPlainFolders(Guards guards, Attempt attempt) throws Exception {
        try (var other = new TestMachine()) {
            var machine = withoutDiskLimit(other, guards);
            try {
                attempt.on(sandbox(machine, Resources.DEFAULT));
                remove();
            } finally {
                machine.disks().close();
            }
        }
    }
}
