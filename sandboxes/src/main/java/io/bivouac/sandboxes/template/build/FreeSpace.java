package io.bivouac.sandboxes.template.build;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The space that a build leaves free.
 *
 * @param reserve in bytes
 */
public record FreeSpace(Path folder, long reserve) {
    /** Refuses when so little is left. */
    void mustBeThere() throws IOException {
        if (!isThere()) {
            throw new BuildFailed(
                    "Only %d MB are free in %s, where %d MB are kept for the host. Make room and build again: it goes on where it stopped."
                            .formatted(free() >> 20, folder, reserve >> 20));
        }
    }

    boolean isThere() throws IOException {
        return free() > reserve;
    }

    private long free() throws IOException {
        return Files.getFileStore(folder).getUsableSpace();
    }
}
