package io.bivouac.sandboxio.gateway;

import io.bivouac.sandboxmodel.SandboxId;

/** A port of a sandbox. */
record Target(SandboxId sandbox, int port) {
    static final int LARGEST_PORT = 65_535;

    Target {
        if (port < 1 || port > LARGEST_PORT) {
            throw new IllegalArgumentException("not a port: " + port);
        }
    }
}
