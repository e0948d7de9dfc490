package io.bivouac.sandboxes.port;

import io.bivouac.sandboxmodel.SandboxId;

/**
 * A port of a sandbox that its host can reach.
 *
 * @param port inside the sandbox
 * @param hostPort on the host's loopback address
 */
public record PublishedPort(SandboxId sandbox, int port, int hostPort) {
    /** As clients write it. */
    public String address() {
        return "127.0.0.1:" + hostPort;
    }
}
