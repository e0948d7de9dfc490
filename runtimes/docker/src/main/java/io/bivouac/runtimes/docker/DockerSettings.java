package io.bivouac.runtimes.docker;

import java.nio.file.Path;

/**
 * How to reach the engine.
 *
 * @param host {@code unix:///…}; the engine must see this machine's files, since the agent is mounted from here
 * @param dataFolder where the run folders of the sandboxes are
 * @param pull whether an image that the engine lacks is fetched from its registry
 */
public record DockerSettings(String host, Path dataFolder, Pull pull) {
    public static final String DEFAULT_HOST = "unix:///var/run/docker.sock";

    private static final String UNIX = "unix://";

    /** When to fetch an image. */
    public enum Pull {
        NEVER,
        MISSING
    }

    public DockerSettings {
        if (!host.startsWith(UNIX)) {
            throw new IllegalArgumentException("the Docker engine must be local, as unix:///path, not " + host);
        }
        dataFolder = dataFolder.toAbsolutePath();
    }

    Path socket() {
        return Path.of(host.substring(UNIX.length()));
    }
}
