package io.bivouac.runtimes.bubblewrap.disk;

import io.bivouac.runtimes.bubblewrap.linux.Libc;
import io.bivouac.runtimes.bubblewrap.linux.LoopMount;
import io.micronaut.core.annotation.Nullable;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;

/** A sparse image with a file system of its own: holds on any host file system, costs a few milliseconds to make. */
final class ImageBacking implements Backing {
    static final String NAME = "image";

    /** Without the kernel's background thread that would fill each sparse image with zeros. */
    private static final String OPTIONS = "discard,noinit_itable";

    private static final long SMALLEST_STEP = 64 << 10;

    private static final FileAttribute<?> OWNERS =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));

    private final BlankImages blanks;

    ImageBacking(BlankImages blanks) {
        this.blanks = blanks;
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public @Nullable String weakness() {
        return null;
    }

    @Override
    public void make(Disk disk) throws IOException {
        blanks.copyTo(disk.image(), disk.limitBytes());
        Files.createDirectories(disk.content());
        attach(disk);
    }

    @Override
    public void attach(Disk disk) throws IOException {
        if (!isMounted(disk)) {
            // The reserved per cent is for the sandbox's root: its log goes on when the workload has filled the rest.
            LoopMount.mount(disk.image(), disk.content(), "ext4", OPTIONS + ",resuid=" + disk.uid());
        }
    }

    @Override
    public void detach(Disk disk) throws IOException {
        while (isMounted(disk)) {
            Libc.unmount(disk.content());
        }
    }

    @Override
    public void grow(Disk disk, long limitBytes) throws IOException {
        resize(disk, limitBytes);
        Programs.run(output(disk), "e2fsck", "-f", "-p", disk.image());
        Programs.run(output(disk), "resize2fs", disk.image());
    }

    /** Blocks that were allocated and never written are holes in the image. */
    @Override
    public void fill(Disk disk) throws IOException {
        if (!isMounted(disk)) {
            return;
        }
        if (!Files.exists(filler(disk))) {
            Files.createFile(filler(disk), OWNERS);
        }
        long from = Files.size(filler(disk));
        long step = Files.getFileStore(disk.content()).getUsableSpace();
        while (step >= SMALLEST_STEP) {
            if (Libc.allocate(filler(disk), from, step)) {
                from += step;
            } else {
                // Some of it was for the file system's own tables, or somebody was quicker.
                step /= 2;
            }
        }
    }

    @Override
    public void empty(Disk disk) throws IOException {
        if (isMounted(disk)) {
            Files.deleteIfExists(filler(disk));
        }
    }

    /** In the disk's root, which the sandbox does not see. */
    private static Path filler(Disk disk) {
        return disk.content().resolve(".reserve");
    }

    @Override
    public long usedBytes(Disk disk) throws IOException {
        var store = Files.getFileStore(disk.content());
        long filled = Files.exists(filler(disk)) ? Files.size(filler(disk)) : 0;
        return store.getTotalSpace() - store.getUnallocatedSpace() - filled;
    }

    /** Another device than the folder around it. */
    private static boolean isMounted(Disk disk) throws IOException {
        return Files.isDirectory(disk.content())
                && !Files.getAttribute(disk.content(), "unix:dev")
                        .equals(Files.getAttribute(disk.folder(), "unix:dev"));
    }

    private static void resize(Disk disk, long bytes) throws IOException {
        try (var image = new RandomAccessFile(disk.image().toFile(), "rw")) {
            image.setLength(bytes);
        }
    }

    private static Path output(Disk disk) {
        return disk.folder().resolve("output");
    }
}
