package io.bivouac.embedded;

import static java.nio.file.attribute.PosixFilePermissions.asFileAttribute;
import static java.nio.file.attribute.PosixFilePermissions.fromString;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Set;

/** Files and folders that only their owner may read. */
public final class PrivateFiles {
    private static final int PASSWORD_BYTES = 24;

    private PrivateFiles() {}

    /** The password kept in this file, made when there is none yet. */
    static String password(Path file) throws IOException {
        if (Files.exists(file)) {
            return Files.readString(file).strip();
        }
        var bytes = new byte[PASSWORD_BYTES];
        new SecureRandom().nextBytes(bytes);
        var password = HexFormat.of().formatHex(bytes);
        write(file, password + "\n");
        return password;
    }

    /** Replaces the file as a whole: a crash, of the machine too, leaves the old content or the new one. */
    public static void write(Path file, String content) throws IOException {
        var fresh = file.resolveSibling(file.getFileName() + ".new");
        Files.deleteIfExists(fresh);
        try (var channel = FileChannel.open(
                fresh,
                Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
                asFileAttribute(fromString("rw-------")))) {
            var bytes = StandardCharsets.UTF_8.encode(content);
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
            channel.force(true);
        }
        Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        // The new name is an entry of the folder, which has to reach the medium as well.
        try (var folder = FileChannel.open(file.toAbsolutePath().getParent(), StandardOpenOption.READ)) {
            folder.force(true);
        }
    }

    static void deleteTree(Path root) throws IOException {
        if (!Files.exists(root)) {
            return;
        }
        Files.walkFileTree(root, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                Files.delete(file);
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult postVisitDirectory(Path folder, IOException failure) throws IOException {
                Files.delete(folder);
                return FileVisitResult.CONTINUE;
            }
        });
    }
}
