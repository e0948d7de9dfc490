package io.bivouac.sandboxes.template.build;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.concurrent.atomic.AtomicLong;

/** What is done with trees from outside. Links are never followed: they lead where the tree's programs want. */
final class Folders {
    private static final int MOST_READ = 64 << 10;

    private Folders() {}

    /** Nothing when it is not there. */
    static void remove(Path folder) throws IOException {
        if (!Files.exists(folder, java.nio.file.LinkOption.NOFOLLOW_LINKS)) {
            return;
        }
        Files.walkFileTree(folder, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                Files.delete(file);
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult postVisitDirectory(Path emptied, IOException failed) throws IOException {
                if (failed != null) {
                    throw failed;
                }
                Files.delete(emptied);
                return FileVisitResult.CONTINUE;
            }
        });
    }

    static long size(Path folder) throws IOException {
        var bytes = new AtomicLong();
        Files.walkFileTree(folder, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                bytes.addAndGet(attributes.size());
                return FileVisitResult.CONTINUE;
            }
        });
        return bytes.get();
    }

    /** The end of a file that may be large. */
    static String tail(Path file) throws IOException {
        try (var channel = Files.newByteChannel(file)) {
            long from = Math.max(0, channel.size() - MOST_READ);
            channel.position(from);
            var bytes = java.nio.ByteBuffer.allocate((int) Math.min(MOST_READ, channel.size() - from));
            while (bytes.hasRemaining() && channel.read(bytes) >= 0) {
                // Until all is read, or somebody made it shorter.
            }
            return new String(bytes.array(), 0, bytes.position(), java.nio.charset.StandardCharsets.UTF_8);
        }
    }
}
