package io.bivouac.runtimes.bubblewrap.disk;

import io.bivouac.runtimes.bubblewrap.linux.Libc;
import io.bivouac.runtimes.bubblewrap.linux.LoopMount;
import io.micronaut.core.annotation.Nullable;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;

/** A sparse image with a file system of its own: holds on any host file system, costs a few milliseconds to make. */
final class ImageBacking implements Backing {
    static final String NAME = "image";

    /** Without the kernel's background thread that would fill each sparse image with zeros. */
    private static final String OPTIONS = "discard,noinit_itable";

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

    @Override
    public long usedBytes(Disk disk) throws IOException {
        var store = Files.getFileStore(disk.content());
        return store.getTotalSpace() - store.getUnallocatedSpace();
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
