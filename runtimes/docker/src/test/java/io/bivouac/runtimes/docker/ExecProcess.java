package io.bivouac.runtimes.docker;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A command's process as this machine sees it: the engine can start commands, but offers no way to end one. */
final class ExecProcess {
    private ExecProcess() {}

    /** Whether the process and its descendants were killed; needs the right to signal them. */
    static boolean end(long pid, String container) {
        if (!belongsTo(pid, container)) {
            return false;
        }
        return ProcessHandle.of(pid)
                .map(process -> {
                    // Before the parent: orphans could not be found any more.
                    process.descendants().forEach(ProcessHandle::destroyForcibly);
                    return process.destroyForcibly();
                })
                .orElse(false);
    }

    /** A number may have been given to another process meanwhile; its cgroup names the container. */
    private static boolean belongsTo(long pid, String container) {
        try {
            return Files.readString(Path.of("/proc", Long.toString(pid), "cgroup"))
                    .contains(container);
        } catch (IOException e) {
            return false;
        }
    }
}
