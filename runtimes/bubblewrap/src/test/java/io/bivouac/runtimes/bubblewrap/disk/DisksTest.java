package io.bivouac.runtimes.bubblewrap.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.bivouac.runtimes.bubblewrap.linux.Libc;
import io.bivouac.runtimes.bubblewrap.linux.LoopMount;
import io.bivouac.runtimes.bubblewrap.linux.Mounts;
import io.bivouac.sandboxmodel.SandboxId;
import io.bivouac.sandboxmodel.runtime.RuntimeFailure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Disks with real images. */
class DisksTest {
    private static final long SIZE = 32L << 20;
    private static final int POOL = 2;

    @TempDir
    private Path data;

    private Disks disks;

    @BeforeEach
    void open() {
        assumeTrue(Libc.isRoot(), "only root may mount");
        disks = reopened();
        disks.recover(Set.of());
    }

    @AfterEach
    void close() throws IOException {
        if (disks != null) {
            disks.close();
        }
        for (var mount : Mounts.under(data)) {
            Libc.unmount(mount);
        }
    }

    private Disks reopened() {
        return Disks.in(
                data,
                new DiskSettings(DiskSettings.Kind.IMAGE, 0x1000_0000, 64, POOL, SIZE, Duration.ofMillis(1)),
                (folder, uid) -> Files.createDirectory(folder));
    }

    private void restart(Set<String> inUse) {
        disks.close();
        disks = reopened();
        disks.recover(inUse);
    }

    private void awaitPool() {
        awaitReady(POOL);
    }

    private void awaitReady(int count) {
        long deadline = System.nanoTime() + Duration.ofSeconds(20).toNanos();
        while (disks.pool().ready() < count && System.nanoTime() - deadline < 0) {
            Thread.onSpinWait();
        }
        assertThat(disks.pool().ready()).isEqualTo(count);
    }

    @Test
    void thePoolIsFilledAgainAfterEachTake() {
        awaitPool();
        var first = disks.take(SIZE);
        var second = disks.take(SIZE);
        assertThat(first.uid()).isNotEqualTo(second.uid());
        awaitPool();
    }

    @Test
    void afterABurstMoreAreReadyUntilItIsQuiet() {
        awaitPool();
        // The first of those beyond the pool comes before another one can have been made.
        var taken = IntStream.range(0, POOL + 3).mapToObj(_ -> disks.take(SIZE)).toList();
        int lacking = disks.pool().wanted() - POOL;
        assertThat(lacking).isBetween(1, 3);
        awaitReady(POOL + lacking);
        disks.pool().becomeFewer();
        assertThat(disks.pool().ready()).isEqualTo(POOL + lacking / 2);
        disks.pool().becomeFewer();
        assertThat(disks.pool().ready()).isEqualTo(POOL);
        assertThat(disksOnHost()).hasSize(POOL + taken.size());
    }

    @Test
    void theLimitIsHard() {
        var disk = disks.take(16L << 20);
        assertThatThrownBy(() -> Files.write(disk.workspace().resolve("huge"), new byte[20 << 20]))
                .isInstanceOf(IOException.class);
    }

    @Test
    void aRestartKeepsFreshDisksAndThrowsUnusedOnesAway() {
        awaitPool();
        var used = disks.take(SIZE);
        var lost = disks.take(SIZE);
        restart(Set.of(used.id()));
        assertThat(Files.exists(used.workspace())).isTrue();
        assertThat(lost.folder()).doesNotExist();
        assertThat(Mounts.under(data)).doesNotContain(lost.content());
        awaitPool();
    }

    @Test
    void afterARestartOfTheMachineADiskIsMountedAgain() throws IOException {
        var disk = disks.take(SIZE);
        Files.writeString(disk.workspace().resolve("note"), "kept");
        for (var mount : Mounts.under(data)) {
            Libc.unmount(mount);
        }
        assertThat(disk.workspace()).doesNotExist();
        restart(Set.of(disk.id()));
        assertThat(disk.workspace().resolve("note")).hasContent("kept");
    }

    @Test
    void aCleanStopLeavesNothingMountedAndTheNextStartTakesTheSameDisksUp() {
        awaitPool();
        var ids = disksOnHost();
        disks.close();
        assertThat(Mounts.under(data)).as("mounts after a clean stop").isEmpty();
        disks = reopened();
        disks.recover(Set.of());
        awaitPool();
        assertThat(disksOnHost()).isEqualTo(ids);
        assertThat(Mounts.under(data)).hasSize(POOL + 1).contains(data.resolve("disks"));
        assertThat(disks.take(SIZE).workspace()).isDirectory();
    }

    @Test
    void aCleanStopLeavesDisksInUseMounted() {
        var used = disks.take(SIZE);
        disks.close();
        assertThat(Mounts.under(data)).containsExactlyInAnyOrder(data.resolve("disks"), used.content());
        disks = reopened();
        assertThat(disks.common()).contains(data.resolve("disks"));
    }

    @Test
    void disksOfAServerWithoutACommonMountAreNotHidden() throws IOException {
        var used = disks.take(SIZE);
        disks.close();
        for (var mount : Mounts.under(data)) {
            Libc.unmount(mount);
        }
        LoopMount.mount(used.image(), used.content(), "ext4", "discard");
        disks = reopened();
        assertThat(disks.common()).isEmpty();
        assertThat(used.workspace()).isDirectory();
    }

    @Test
    void oneBrokenDiskKeepsNoOtherFromBeingFound() throws IOException {
        var broken = disks.take(SIZE);
        var whole = disks.take(SIZE);
        for (var mount : Mounts.under(data)) {
            Libc.unmount(mount);
        }
        Files.write(broken.image(), new byte[1 << 20]);
        restart(Set.of(broken.id(), whole.id()));
        assertThat(whole.workspace()).isDirectory();
        assertThatThrownBy(() -> disks.attach(broken)).isInstanceOf(RuntimeFailure.class);
    }

    private Set<String> disksOnHost() {
        var names = data.resolve("disks").toFile().list();
        return names == null ? Set.of() : Set.of(names);
    }

    @Test
    void aKeptDiskGrowsWithItsNextOwnerAndHasOnlyTheWorkspace() throws IOException {
        var id = SandboxId.next();
        var disk = disks.take(SIZE);
        Files.writeString(disk.workspace().resolve("note"), "kept");
        Files.writeString(disk.home().resolve("secret"), "gone");
        disks.keep(id, "project", disk.id());
        restart(Set.of());
        assertThat(Mounts.under(disk.folder())).isEmpty();

        var reused = disks.reuse(id, "project", 2 * SIZE);
        assertThat(reused.workspace().resolve("note")).hasContent("kept");
        assertThat(reused.home()).isEmptyDirectory();
        assertThat(reused.limitBytes()).isEqualTo(2 * SIZE);
        Files.write(reused.workspace().resolve("large"), new byte[(int) SIZE]);
        assertThatThrownBy(() -> disks.reuse(id, "another", SIZE)).isInstanceOf(RuntimeFailure.class);
    }

    @Test
    void aDiskThatWasOnItsWayBelongsToTheSandboxThatHasIt() {
        var id = SandboxId.next();
        var disk = disks.take(SIZE);
        disks.keep(id, "project", disk.id());
        restart(Set.of(disk.id()));
        assertThat(disks.keptData()).isEmpty();
        assertThat(disk.workspace()).isDirectory();
    }

    @Test
    void aDiskThatCannotBeRemovedIsTriedAgain() throws Exception {
        var disk = disks.take(SIZE);
        var inTheWay = Files.createDirectory(disk.folder().resolve("in-the-way"));
        run("mount", "-t", "tmpfs", "none", inTheWay.toString());
        disks.remove(disk.id());
        // Its own file system is gone, and then the folder could not be emptied.
        await(() -> !Files.exists(disk.image()));
        disks.tidy();
        assertThat(inTheWay).isDirectory();
        Libc.unmount(inTheWay);
        await(() -> {
            disks.tidy();
            return !Files.exists(disk.folder());
        });
    }

    private static void run(String... command) throws Exception {
        assertThat(new ProcessBuilder(command).inheritIO().start().waitFor()).isZero();
    }

    private static void await(BooleanSupplier condition) {
        long deadline = System.nanoTime() + Duration.ofSeconds(20).toNanos();
        while (!condition.getAsBoolean() && System.nanoTime() - deadline < 0) {
            LockSupport.parkNanos(Duration.ofMillis(5).toNanos());
        }
        assertThat(condition.getAsBoolean()).isTrue();
    }

    @Test
    void oneServerAtATime() {
        assertThatThrownBy(this::reopened).isInstanceOf(RuntimeFailure.class).hasMessageContaining("another server");
    }
}
