package io.bivouac.runtimes.bubblewrap.disk;

import io.bivouac.runtimes.bubblewrap.linux.Libc;
import io.micronaut.core.annotation.Nullable;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

/** A sparse image with a file system of its own: holds on any host file system, costs some milliseconds to make. */
final class ImageBacking implements Backing {
    static final String NAME = "image";

    /** Without the kernel's background thread that would fill each sparse image with zeros. */
    private static final String OPTIONS = "loop,nosuid,nodev,discard,noinit_itable";

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
        // Other users of this machine must not read it past the permissions inside.
        Files.createFile(
                disk.image(), PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        resize(disk, disk.limitBytes());
        Programs.run(
                output(disk),
                "mkfs.ext4",
                "-q",
                "-F",
                "-m",
                "1",
                "-J",
                "size=4",
                "-E",
                "nodiscard,lazy_itable_init=1,lazy_journal_init=1",
                disk.image());
        Files.createDirectories(disk.content());
        attach(disk);
    }

    @Override
    public void attach(Disk disk) throws IOException {
        if (!isMounted(disk)) {
            // The reserved per cent is for the sandbox's root: its log goes on when the workload has filled the rest.
            Programs.run(output(disk), "mount", "-o", OPTIONS + ",resuid=" + disk.uid(), disk.image(), disk.content());
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
