package io.bivouac.runtimes.docker;

import java.nio.file.Path;

/**
 * The agent as this machine has it.
 *
 * @param binary a static executable, mounted into each container
 * @param socketFolder holds a folder for each sandbox that runs, and in it a socket for each relay
 */
public record AgentFiles(Path binary, Path socketFolder) {
    public AgentFiles {
        binary = binary.toAbsolutePath();
        socketFolder = socketFolder.toAbsolutePath();
    }
}
