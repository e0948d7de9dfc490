package io.bivouac.runtimes.bubblewrap.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.bivouac.runtimes.bubblewrap.linux.Libc;
import io.bivouac.runtimes.bubblewrap.linux.LoopMount;
import io.bivouac.runtimes.bubblewrap.linux.Mounts;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Disks on a file system of their own that is far too small for them. Pages of the whole machine that are yet to be
 * written count for half of the reserve at most, so free space is kept that far from it on either side.
 */
class ReserveWatchTest {
    private static final int MEBIBYTE = 1 << 20;
    private static final long HOST = 1024L * MEBIBYTE;
    private static final long RESERVE = 400L * MEBIBYTE;
    private static final long DISK = 2048L * MEBIBYTE;

    @TempDir
    private Path folder;

    private Path data;
    private Disks disks;

    @BeforeEach
    void open() throws IOException {
        assumeTrue(Libc.isRoot(), "only root may mount");
        var image = folder.resolve("host");
        try (var file = new RandomAccessFile(image.toFile(), "rw")) {
            file.setLength(HOST);
        }
        data = Files.createDirectory(folder.resolve("data"));
        Programs.run(folder.resolve("output"), "mkfs.ext4", "-q", "-m", "0", image);
        LoopMount.mount(image, data, "ext4", "discard");
        disks = reopened();
    }

    private Disks reopened() {
        var settings = new DiskSettings(
                DiskSettings.Kind.IMAGE,
                0x1000_0000,
                64,
                0,
                DISK,
                Duration.ofMillis(1),
                new Reserve(100, RESERVE),
                null);
        return Disks.in(data, settings, (folder, uid) -> Files.createDirectory(folder));
    }

    @AfterEach
    void close() throws IOException {
        if (disks != null) {
            disks.close();
        }
        for (int round = 0; round < 2; round++) {
            for (var mount : Mounts.under(folder)) {
                Libc.unmount(mount);
            }
        }
    }

    @Test
    void noDiskGrowsWhileTheReserveIsReached() throws IOException {
        disks.recover(Set.of());
        var disk = disks.take(DISK);
        var file = disk.workspace().resolve("there-before");
        write(file, 4);
        var ballast = ballast();
        await(() -> disks.reserve().reached());
        await(() -> !canWrite(disk.workspace().resolve("more")));
        // The host itself has what was kept for it.
        write(data.resolve("database"), 16);
        assertThatThrownBy(() -> disks.take(DISK)).hasMessageContaining("are reserved");
        // What is there can still be changed.
        overwrite(file);

        Files.delete(ballast);
        await(() -> !disks.reserve().reached());
        await(() -> canWrite(disk.workspace().resolve("more")));
        assertThat(disks.take(DISK)).isNotNull();
    }

    /** A race between the writer and the watch, so for a machine that does nothing else. */
    @Test
    @Tag("soak")
    void aDiskThatGrowsIsFullBeforeTheReserveIsEaten() throws IOException {
        disks.recover(Set.of());
        var file = disks.take(DISK).workspace().resolve("all-there-is");
        assertThatThrownBy(() -> writeWithoutEnd(file)).hasMessageContaining("No space left");
        assertThat(disks.reserve().reached()).isTrue();
        assertThat(free()).isGreaterThan(RESERVE / 4);
    }

    @Test
    void aServerThatDiedWhileItWasReachedLeavesNoDiskFull() throws IOException {
        disks.recover(Set.of());
        var disk = disks.take(DISK);
        var ballast = ballast();
        await(() -> disks.reserve().reached());
        await(() -> !canWrite(disk.workspace().resolve("work")));
        disks.close();
        Files.delete(ballast);
        disks = reopened();
        disks.recover(Set.of(disk.id()));
        await(() -> canWrite(disk.workspace().resolve("work")));
    }

    /** Leaves half of the reserve free. */
    private Path ballast() throws IOException {
        var ballast = Files.createFile(data.resolve("ballast"));
        assertThat(Libc.allocate(ballast, 0, free() - RESERVE / 2)).isTrue();
        return ballast;
    }

    private long free() throws IOException {
        return Files.getFileStore(data).getUsableSpace();
    }

    private static boolean canWrite(Path file) {
        try {
            write(file, 4);
            return true;
        } catch (IOException full) {
            return false;
        }
    }

    private static void writeWithoutEnd(Path file) throws IOException {
        write(file, Integer.MAX_VALUE);
    }

    /** Each is on the medium before the next. */
    private static void write(Path file, int mebibytes) throws IOException {
        var piece = new byte[MEBIBYTE];
        Arrays.fill(piece, (byte) 7);
        try (var channel = FileChannel.open(
                file, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING)) {
            for (int i = 0; i < mebibytes; i++) {
                var bytes = ByteBuffer.wrap(piece);
                while (bytes.hasRemaining()) {
                    channel.write(bytes);
                }
                channel.force(false);
            }
        }
    }

    private static void overwrite(Path file) throws IOException {
        try (var channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            channel.write(ByteBuffer.wrap(new byte[MEBIBYTE]), 0);
            channel.force(false);
        }
    }

    private static void await(BooleanSupplier condition) {
        long deadline = System.nanoTime() + Duration.ofSeconds(60).toNanos();
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime() - deadline).as("in time").isNegative();
            LockSupport.parkNanos(10_000_000);
        }
    }
}
