package io.bivouac.runtimes.bubblewrap;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a workload tries in order to take more than its share. */
class ResourceAttacksTest extends AttackFixture {
    @Test
    void processesMultiplyOnlyToTheLimit() {
        fails(python("""
                        import os, time
                        for i in range(600):
                            if os.fork() == 0:
                                time.sleep(20)
                                os._exit(0)"""), withoutCgroups());
    }

    @Test
    void aForkBombIsRemovedWithItsSandbox() {
        var target = sandbox(guarded());
        target.shell("(bomb() { bomb | bomb & }; bomb) > /dev/null 2>&1 &");
        target.runtime().remove(target.id(), false);
        assertThat(target.runtime().get(target.id())).isEmpty();
        assertThat(guarded().cgroups().names()).doesNotContain(target.id().value());
    }

    @Test
    void memoryIsGivenOnlyToTheLimit() {
        fails(python("x = b'x' * (300 << 20)"), withoutCgroups(), SMALL);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/workspace", "$HOME", "/tmp", "/var/tmp", "/dev/shm"})
    void noFolderTakesMoreThanTheDisk(String folder) throws Exception {
        try (var other = new TestMachine()) {
            var unlimited = withoutDiskLimit(other);
            try {
                fails("head -c 80000000 /dev/zero > " + folder + "/huge", unlimited, SMALL);
                remove();
            } finally {
                unlimited.disks().close();
            }
        }
    }

    /** What only the sandbox's root can write. */
    @ParameterizedTest
    @ValueSource(strings = {"/root", "/run/bivouac/log"})
    void itsRootTakesNoMoreThanTheDisk(String folder) throws Exception {
        var attack = "head -c 80000000 /dev/zero > " + folder + "/huge";
        refused("the limit", sandbox(guarded(), SMALL).as("root", attack));
        try (var other = new TestMachine()) {
            var unlimited = withoutDiskLimit(other);
            try {
                succeeded("the limit", sandbox(unlimited, SMALL).as("root", attack));
                remove();
            } finally {
                unlimited.disks().close();
            }
        }
    }

    /** And what it cannot write at all, since that lies on the host's disk or in the host's memory. */
    @ParameterizedTest
    @ValueSource(strings = {"/", "/run", "/run/bivouac", "/.bivouac"})
    void itsRootFillsNothingOfTheHosts(String folder) {
        heldBy("root", "head -c 80000000 /dev/zero > " + folder + "/huge", Guard.READ_ONLY);
    }

    @Test
    void theLogGoesOnWhenTheDiskIsFull() {
        var target = sandbox(guarded(), SMALL);
        target.shell("head -c 80000000 /dev/zero > /workspace/huge");
        assertThat(target.shell("head -c 1000000 /dev/zero > /tmp/more").exitCode())
                .isNotZero();
        assertThat(target.as("root", "echo x > /run/bivouac/log/more").exitCode())
                .isZero();
    }
}
