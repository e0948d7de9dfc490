package io.bivouac.embedded;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.BooleanSupplier;

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
        await("no process of " + path, () -> mentioning(path).isEmpty());
    }

    static void await(String what, BooleanSupplier condition) throws InterruptedException {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > deadline) {
                throw new AssertionError("expected within %s: %s".formatted(PATIENCE, what));
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
