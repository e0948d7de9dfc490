package io.bivouac.launcher;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The page of long runs: what it is for, then the newest run, then the ones before. */
record ReliabilityPage(Path file) {
    private static final String RUNS = "<!-- runs, the newest first -->";

    static ReliabilityPage at(Path file) {
        return new ReliabilityPage(file);
    }

    void add(List<String> run) throws IOException {
        var page = Files.readString(file);
        if (!page.contains(RUNS)) {
            throw new IOException(file + " has no line " + RUNS);
        }
        Files.writeString(file, page.replace(RUNS, RUNS + "\n\n" + String.join("\n", run)));
    }
}
