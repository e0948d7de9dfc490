package io.bivouac.benchmarks;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.regex.Pattern;

/** How much of a server's heap is taken by what is reachable. */
record Heap(long pid) {
    private static final Pattern TOTAL = Pattern.compile("(?m)^Total\\s+\\d+\\s+(\\d+)");

    /** Counted while the server stands still: what it makes in the time of two questions would be counted else. */
    long usedBytes() throws IOException, InterruptedException {
        var histogram = jcmd("GC.class_histogram");
        var total = TOTAL.matcher(histogram);
        if (!total.find()) {
            throw new IllegalStateException(histogram);
        }
        return Long.parseLong(total.group(1));
    }

    private String jcmd(String command) throws IOException, InterruptedException {
        var program = Path.of(System.getProperty("java.home"), "bin", "jcmd").toString();
        var process = new ProcessBuilder(program, Long.toString(pid), command)
                .redirectErrorStream(true)
                .start();
        var output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        process.waitFor();
        return output;
    }
}
