package io.bivouac.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.stream.Stream;

/** Reads from /proc what processes cost. */
final class Processes {
    private static final int KIB = 1024;
    private static final double MEGABYTE = 1e6;

    /** The kernel's unit of processor time, the same on all Linux machines that Java runs on. */
    private static final double TICKS_IN_SECOND = 100;

    private static final int USER_TICKS = 11;

    private Processes() {}

    /** Proportional: what processes share is divided among them. In megabytes. */
    static double proportionalMegabytes(Collection<Long> pids) {
        return sum(pids, "Pss:");
    }

    /** What `ps` shows; shared pages count for each process. In megabytes. */
    static double residentMegabytes(Collection<Long> pids) {
        return sum(pids, "Rss:");
    }

    /** The resident part of the files with this ending that a process has mapped. In megabytes. */
    static double mappedMegabytes(long pid, String ending) {
        boolean counts = false;
        long kibibytes = 0;
        for (var line : lines(Path.of("/proc/" + pid + "/smaps")).toList()) {
            if (line.matches("[0-9a-f]+-[0-9a-f]+ .*")) {
                counts = line.endsWith(ending);
            } else if (counts && line.startsWith("Rss:")) {
                kibibytes += Long.parseLong(line.replaceAll("[^0-9]", ""));
            }
        }
        return kibibytes * KIB / MEGABYTE;
    }

    private static double sum(Collection<Long> pids, String field) {
        return pids.stream()
                        .mapToLong(pid -> lines(Path.of("/proc/" + pid + "/smaps_rollup"))
                                .filter(line -> line.startsWith(field))
                                .mapToLong(line -> Long.parseLong(line.replaceAll("[^0-9]", "")))
                                .sum())
                        .sum()
                * KIB
                / MEGABYTE;
    }

    /** In user and kernel mode together. */
    static double processorSeconds(Collection<Long> pids) {
        return pids.stream().mapToDouble(Processes::processorSeconds).sum();
    }

    private static double processorSeconds(long pid) {
        return lines(Path.of("/proc/" + pid + "/stat"))
                .mapToDouble(line -> {
                    // The name before the last parenthesis may hold spaces.
                    var fields = line.substring(line.lastIndexOf(')') + 2).split(" ");
                    return (Long.parseLong(fields[USER_TICKS]) + Long.parseLong(fields[USER_TICKS + 1]))
                            / TICKS_IN_SECOND;
                })
                .sum();
    }

    static List<Long> withDescendants(long pid) {
        return Stream.concat(
                        Stream.of(pid),
                        ProcessHandle.of(pid).stream()
                                .flatMap(ProcessHandle::descendants)
                                .map(ProcessHandle::pid))
                .toList();
    }

    /** Those whose command line has this in it. */
    static List<Long> naming(String text) {
        return ProcessHandle.allProcesses()
                .map(ProcessHandle::pid)
                .filter(pid -> commandLine(pid).contains(text))
                .toList();
    }

    static String commandLine(long pid) {
        try {
            return Files.readString(Path.of("/proc/" + pid + "/cmdline")).replace('\0', ' ');
        } catch (IOException ended) {
            return "";
        }
    }

    private static Stream<String> lines(Path file) {
        try {
            return Files.readAllLines(file).stream();
        } catch (IOException ended) {
            return Stream.empty();
        }
    }
}
