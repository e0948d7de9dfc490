package io.bivouac.sandboxes.port;

import io.bivouac.sandboxmodel.SandboxId;

/**
 * A port of a sandbox that its host can reach.
 *
 * @param port inside the sandbox
 * @param hostPort at {@link #HOST}
 */
public record PublishedPort(SandboxId sandbox, int port, int hostPort) {
    /** A loopback address that the console is not at: browsers send a host's cookies to all of its ports. */
    public static final String HOST = "127.0.0.2";

    /** As clients write it. */
    public String address() {
        return HOST + ":" + hostPort;
    }
}
