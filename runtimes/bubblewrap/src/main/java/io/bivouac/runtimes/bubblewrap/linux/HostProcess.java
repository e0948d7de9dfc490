package io.bivouac.runtimes.bubblewrap.linux;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * A process of this machine, known for certain: ids are used again, an id with its start time is not.
 *
 * @param startTime in clock ticks since the machine's start, as the kernel tells it
 */
public record HostProcess(int pid, long startTime) {
    private static final int START_TIME = 19;

    /** Reads a file with the id and the start time in it; empty when there is none or it is not whole. */
    public static Optional<HostProcess> read(Path file) {
        try {
            var words = Files.readString(file).strip().split(" ", -1);
            return words.length == 2
                    ? Optional.of(new HostProcess(Integer.parseInt(words[0]), Long.parseLong(words[1])))
                    : Optional.empty();
        } catch (IOException none) {
            OpenFiles.mustNotBeExhausted(none);
            return Optional.empty();
        } catch (NumberFormatException notWhole) {
            return Optional.empty();
        }
    }

    /** A process that has ended and is only waited for counts as gone. */
    public boolean isAlive() {
        try {
            var stat = Files.readString(Path.of("/proc/" + pid + "/stat"));
            // The name in brackets may hold anything.
            var fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
            boolean ended = fields[0].equals("Z") || fields[0].equals("X");
            return !ended && Long.parseLong(fields[START_TIME]) == startTime;
        } catch (IOException gone) {
            OpenFiles.mustNotBeExhausted(gone);
            return false;
        }
    }

    public void signal(int signal) {
        if (isAlive()) {
            Libc.kill(pid, signal);
        }
    }
}
