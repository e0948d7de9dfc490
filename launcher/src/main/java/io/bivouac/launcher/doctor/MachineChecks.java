package io.bivouac.launcher.doctor;

import io.bivouac.sandboxmodel.runtime.Check;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Checks of the machine that need no database and no runtime. */
public final class MachineChecks {
    static final int OLDEST_JAVA = 25;
    static final long LEAST_BYTES = 2L << 30;
    static final long LEAST_INODES = 50_000;

    private static final int PROGRAM_SECONDS = 5;

    private MachineChecks() {}

    /** @param data the data folder, or the nearest folder above it that there is */
    public static List<Check> of(Path data) {
        var folder = existing(data.toAbsolutePath());
        return List.of(java(Runtime.version().feature()), disk(folder), inodes(folder), Container.check());
    }

    private static Path existing(Path data) {
        var folder = data;
        while (folder.getParent() != null && !Files.isDirectory(folder)) {
            folder = folder.getParent();
        }
        return folder;
    }

    static Check java(int feature) {
        var seen = "Java " + Runtime.version() + " at " + System.getProperty("java.home");
        return feature >= OLDEST_JAVA
                ? Check.fine("jdk", seen)
                : Check.wrong(
                        "jdk",
                        seen,
                        "The server does not start.",
                        "install a JDK " + OLDEST_JAVA + " and set JAVA_HOME to its folder");
    }

    private static Check disk(Path folder) {
        try {
            var store = Files.getFileStore(folder);
            return disk(folder, store.getUsableSpace(), store.getTotalSpace());
        } catch (IOException e) {
            return unreadable("disk", folder, e);
        }
    }

    static Check disk(Path folder, long free, long all) {
        var seen = "%d of %d GiB free at %s".formatted(free >> 30, all >> 30, folder);
        return free >= LEAST_BYTES
                ? Check.fine("disk", seen)
                : Check.wrong(
                        "disk",
                        seen,
                        "PostgreSQL and Kafka stop when the disk is full, and sandboxes cannot write.",
                        "free at least %d GiB there, or set BIVOUAC_DATA_DIR to a larger disk"
                                .formatted(LEAST_BYTES >> 30));
    }

    /** Java tells nothing about inodes; coreutils' stat does. */
    private static Check inodes(Path folder) {
        try {
            var process = new ProcessBuilder("stat", "-f", "-c", "%d %c", folder.toString())
                    .redirectErrorStream(true)
                    .start();
            var said = new String(process.getInputStream().readAllBytes()).strip();
            if (!process.waitFor(PROGRAM_SECONDS, TimeUnit.SECONDS) || process.exitValue() != 0) {
                return Check.fine("inodes", "not counted: " + said);
            }
            var words = said.split(" ");
            return inodes(folder, Long.parseLong(words[0]), Long.parseLong(words[1]));
        } catch (IOException | NumberFormatException unknown) {
            return Check.fine("inodes", "not counted: " + unknown.getMessage());
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            return Check.fine("inodes", "not counted");
        }
    }

    static Check inodes(Path folder, long free, long all) {
        if (all == 0) {
            return Check.fine("inodes", "the file system of " + folder + " has no bound of them");
        }
        var seen = "%,d of %,d free at %s".formatted(free, all, folder);
        return free >= LEAST_INODES
                ? Check.fine("inodes", seen)
                : Check.wrong(
                        "inodes",
                        seen,
                        "No further files can be made, though there is room on the disk.",
                        "remove small files there (find %s -xdev -type f | wc -l), or set BIVOUAC_DATA_DIR"
                                .formatted(folder));
    }

    private static Check unreadable(String name, Path folder, IOException e) {
        return Check.wrong(
                name,
                folder + " cannot be looked at: " + e.getMessage(),
                "The server cannot keep its data.",
                "set BIVOUAC_DATA_DIR to a folder that this user may write");
    }
}
