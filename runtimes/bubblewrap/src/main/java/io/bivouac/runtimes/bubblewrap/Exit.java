package io.bivouac.runtimes.bubblewrap;

import io.micronaut.core.annotation.Nullable;
import io.micronaut.serde.annotation.Serdeable;
import java.util.Optional;

/** How a sandbox ended, as its supervisor wrote it down. */
@Serdeable
record Exit(
        int code,
        @Nullable Integer signal,
        @Nullable String time,
        @Nullable String message) {
    static Optional<Exit> read(SandboxFolder folder) {
        return Json.read(folder.exit(), Exit.class);
    }

    /** @param outOfMemory how many processes the kernel has ended for want of memory */
    String describe(long outOfMemory) {
        var end = signal == null ? "ended with exit code " + code : "ended by signal " + signal;
        var memory = outOfMemory == 0 ? "" : "; the kernel ended " + outOfMemory + " processes for want of memory";
        var said = message == null || message.isBlank() ? "" : ": " + message;
        return end + memory + said;
    }
}
