package io.bivouac.embedded;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** {@code postmaster.pid}: which server has a data folder, and whether it takes connections. */
record PostmasterFile(long pid, String status) {
    private static final int PID_LINE = 0;
    private static final int STATUS_LINE = 7;

    static Optional<PostmasterFile> of(Path data) throws IOException {
        try {
            var lines = Files.readAllLines(data.resolve("postmaster.pid"));
            if (lines.isEmpty()) {
                return Optional.empty();
            }
            // PostgreSQL adds the lines one after the other while it starts.
            var status = lines.size() > STATUS_LINE ? lines.get(STATUS_LINE).strip() : "";
            return Optional.of(
                    new PostmasterFile(Long.parseLong(lines.get(PID_LINE).strip()), status));
        } catch (NoSuchFileException e) {
            return Optional.empty();
        }
    }

    boolean isReady() {
        return status.equals("ready");
    }

    /** Whether that process lives and really is the server of this folder: after a crash its number may be another's. */
    boolean isServerOf(Path data) {
        try {
            return List.of(Files.readString(Path.of("/proc/" + pid + "/cmdline"))
                            .split("\0"))
                    .contains(data.toString());
        } catch (IOException e) {
            return false;
        }
    }

    /** Waits for a server that is still stopping, and forgets one that no longer is. */
    static void awaitGone(Path data, Duration patience) throws IOException, InterruptedException {
        long deadline = System.nanoTime() + patience.toNanos();
        for (var file = of(data); file.isPresent(); file = of(data)) {
            if (!file.get().isServerOf(data)) {
                Files.deleteIfExists(data.resolve("postmaster.pid"));
            } else if (System.nanoTime() > deadline) {
                throw new EmbeddedStackException(
                        "Another PostgreSQL (process %d) still uses %s and did not stop within %d s. Stop it, then try again."
                                .formatted(file.get().pid(), data, patience.toSeconds()));
            } else {
                Thread.sleep(20);
            }
        }
    }
}
