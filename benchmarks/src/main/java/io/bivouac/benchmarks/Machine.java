package io.bivouac.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** What else there is to know about a figure: where, and how busy it was there. */
final class Machine {
    private Machine() {}

    /** Over the last minute. */
    static double load() throws IOException {
        return Double.parseDouble(Files.readString(Path.of("/proc/loadavg")).split(" ", 2)[0]);
    }

    static String describe() throws IOException {
        return "%d processors, Linux %s, load average %.1f"
                .formatted(Runtime.getRuntime().availableProcessors(), System.getProperty("os.version"), load());
    }
}
