package io.bivouac.runtimes.bubblewrap.disk;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** What programs have written and the kernel has not: it will need space that still looks free. */
final class Unwritten {
    private static final Path MEMORY = Path.of("/proc/meminfo");
    private static final int KIBIBYTE = 1024;

    private Unwritten() {}

    /** Of all file systems, since nobody tells of one; zero where the kernel does not say. */
    static long bytes() throws IOException {
        long kibibytes = 0;
        for (var line : Files.readAllLines(MEMORY)) {
            if (line.startsWith("Dirty:") || line.startsWith("Writeback:")) {
                kibibytes += Long.parseLong(line.replaceAll("[^0-9]", ""));
            }
        }
        return kibibytes * KIBIBYTE;
    }
}
