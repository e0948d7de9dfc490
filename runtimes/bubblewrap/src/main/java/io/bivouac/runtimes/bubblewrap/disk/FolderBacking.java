package io.bivouac.runtimes.bubblewrap.disk;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;

/** A plain folder, for those who may not mount: nothing holds the limit. */
record FolderBacking(String weakness) implements Backing {
    static final String NAME = "folder";

    /** Counting goes no further than this; a larger folder is reported smaller than it is. */
    private static final int MOST_FILES = 100_000;

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public void make(Disk disk) throws IOException {
        Files.createDirectories(disk.content());
    }

    @Override
    public void attach(Disk disk) {}

    @Override
    public void detach(Disk disk) {}

    @Override
    public void grow(Disk disk, long limitBytes) {}

    @Override
    public long usedBytes(Disk disk) throws IOException {
        var counter = new SimpleFileVisitor<Path>() {
            private long bytes;
            private int files;

            @Override
            public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
                return visitFile(folder, attributes);
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                bytes += attributes.size();
                return ++files < MOST_FILES ? FileVisitResult.CONTINUE : FileVisitResult.TERMINATE;
            }

            @Override
            public FileVisitResult visitFileFailed(Path file, IOException gone) {
                return FileVisitResult.CONTINUE;
            }
        };
        Files.walkFileTree(disk.content(), counter);
        return counter.bytes;
    }
}
