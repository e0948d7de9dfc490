package io.bivouac.runtimes.bubblewrap;

import java.nio.file.Path;

/**
 * The agent as this machine has it.
 *
 * @param binary a static executable; it starts sandboxes from outside and serves inside
 * @param socketFolder holds a folder for each sandbox that runs, and in it a socket for each relay
 */
public record AgentFiles(Path binary, Path socketFolder) {
    public AgentFiles {
        binary = binary.toAbsolutePath();
        socketFolder = socketFolder.toAbsolutePath();
    }
}
