package io.bivouac.runtimes.bubblewrap;

import io.bivouac.sandboxmodel.runtime.RuntimeFailure;
import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Duration;

/** Deletes a folder that only we and the supervisor have written. */
final class Removal {
    private static final Duration LONGEST = Duration.ofSeconds(2);

    private Removal() {}

    static void delete(Path folder) {
        long deadline = System.nanoTime() + LONGEST.toNanos();
        try {
            while (Files.exists(folder, LinkOption.NOFOLLOW_LINKS)) {
                try {
                    deleteTree(folder);
                } catch (DirectoryNotEmptyException more) {
                    // A supervisor has just written down how its sandbox ended.
                    if (System.nanoTime() - deadline > 0) {
                        throw more;
                    }
                }
            }
        } catch (IOException e) {
            throw new RuntimeFailure("cannot remove " + folder + ": " + e, e);
        }
    }

    private static void deleteTree(Path path) throws IOException {
        if (Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)) {
            try (var entries = Files.newDirectoryStream(path)) {
                for (var entry : entries) {
                    deleteTree(entry);
                }
            }
        }
        Files.deleteIfExists(path);
    }
}
