package io.bivouac.embedded;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** What runs on this machine, by its command line. */
final class Processes {
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private Processes() {}

    static List<String> mentioning(Path path) {
        return ProcessHandle.allProcesses()
                .filter(process -> process.pid() != ProcessHandle.current().pid())
                .map(process -> process.pid() + " " + commandLine(process.pid()))
                .filter(line -> line.contains(path.toString()))
                .toList();
    }

    static void awaitNoneMentioning(Path path) throws InterruptedException {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (!mentioning(path).isEmpty()) {
            if (System.nanoTime() > deadline) {
                throw new AssertionError("expected no process of " + path + ", seen " + mentioning(path));
            }
            Thread.sleep(20);
        }
    }

    private static String commandLine(long pid) {
        try {
            return Files.readString(Path.of("/proc/" + pid + "/cmdline")).replace('\0', ' ');
        } catch (IOException e) {
            return ""; // it has just ended
        }
    }
}
