package io.bivouac.runtimes.bubblewrap.linux;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** What survives a power cut. */
public final class Medium {
    private Medium() {}

    /** Waits until a file's bytes, or a folder's entries, are on the medium. */
    public static void force(Path path) throws IOException {
        try (var open = FileChannel.open(path, StandardOpenOption.READ)) {
            open.force(true);
        }
    }
}
