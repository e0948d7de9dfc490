package io.bivouac.runtimes.bubblewrap;

import java.nio.file.Path;

/**
 * Where things are in a sandbox's folder.
 *
 * @param path the folder itself; the sandbox sees only what is bound from it
 */
record SandboxFolder(Path path) {
    Path instance() {
        return path.resolve("instance.json");
    }

    Path superviseSpec() {
        return path.resolve("supervise.json");
    }

    Path superviseOutput() {
        return path.resolve("supervise.out");
    }

    /** Bound at /run/bivouac, closed to everyone but the agent. */
    Path run() {
        return path.resolve("run");
    }

    /** What the sandbox sees of a folder of the host, where it sees one. */
    Path view() {
        return path.resolve("view");
    }

    // The rest is written by the supervisor.

    Path supervisorPid() {
        return path.resolve("supervisor.pid");
    }

    Path agentPid() {
        return path.resolve("init.pid");
    }

    Path exit() {
        return path.resolve("exit.json");
    }
}
