package io.bivouac.runtimes.docker;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;

/** How much a folder holds. */
final class FolderSize {
    /** A larger tree is reported by what was counted until then. */
    private static final Duration LONGEST_COUNT = Duration.ofSeconds(2);

    private FolderSize() {}

    /** In bytes; 0 where this process may not look. Links are not followed. */
    static long of(Path folder) {
        long deadline = System.nanoTime() + LONGEST_COUNT.toNanos();
        var total = new long[1];
        try {
            Files.walkFileTree(folder, new SimpleFileVisitor<>() {
                @Override
                public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                    total[0] += attributes.size();
                    return System.nanoTime() - deadline < 0 ? FileVisitResult.CONTINUE : FileVisitResult.TERMINATE;
                }

                @Override
                public FileVisitResult visitFileFailed(Path file, IOException unreadable) {
                    return FileVisitResult.CONTINUE;
                }

                @Override
                public FileVisitResult postVisitDirectory(Path visited, IOException unreadable) {
                    return FileVisitResult.CONTINUE;
                }
            });
        } catch (IOException e) {
            return total[0];
        }
        return total[0];
    }
}
