package io.bivouac.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Comparator;
import java.util.concurrent.TimeUnit;

/** A folder for a while. What is mounted below it is undone before it goes. */
final class WorkFolder implements AutoCloseable {
    private static final int LONGEST_UNMOUNT_SECONDS = 30;
    private static final int MOUNT_POINT = 4;

    private final Path path;

    WorkFolder(String purpose) throws IOException {
        path = Files.createTempDirectory("bivouac-bench-" + purpose + "-");
        // PostgreSQL and sandboxes have accounts of their own.
        Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rwxr-xr-x"));
        Cleanup.expect(this);
    }

    Path path() {
        return path;
    }

    @Override
    public void close() throws IOException, InterruptedException {
        if (!Cleanup.claim(this)) {
            return;
        }
        for (var mount : Files.readAllLines(Path.of("/proc/self/mountinfo")).reversed()) {
            var point = mount.split(" ")[MOUNT_POINT];
            if (point.startsWith(path + "/")) {
                new ProcessBuilder("umount", "-l", point)
                        .inheritIO()
                        .start()
                        .waitFor(LONGEST_UNMOUNT_SECONDS, TimeUnit.SECONDS);
            }
        }
        try (var files = Files.walk(path)) {
            for (var file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        }
    }
}
