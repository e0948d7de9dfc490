package io.bivouac.runtimes.bubblewrap;

import io.bivouac.sandboxes.runtime.RuntimeFailure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;

/** Deletes a folder that only we have written. */
final class Removal {
    private Removal() {}

    static void delete(Path folder) {
        try {
            deleteTree(folder);
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
