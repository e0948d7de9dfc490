package io.bivouac.benchmarks;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.regex.Pattern;

/** How much of a server's heap is in use once the garbage is gone. */
record Heap(long pid) {
    private static final Pattern USED = Pattern.compile("used (\\d+)K");

    long usedBytes() throws IOException, InterruptedException {
        jcmd("GC.run");
        jcmd("GC.run");
        long kilobytes = 0;
        // Generations are listed apart; the metaspace below them is no heap.
        for (var line : jcmd("GC.heap_info").lines().toList()) {
            var used = USED.matcher(line);
            if (used.find() && !line.contains("Metaspace") && !line.contains("class space")) {
                kilobytes += Long.parseLong(used.group(1));
            }
        }
        return kilobytes * 1024;
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
