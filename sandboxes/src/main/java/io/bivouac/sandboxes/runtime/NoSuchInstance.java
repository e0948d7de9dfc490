package io.bivouac.sandboxes.runtime;

import io.bivouac.sandboxes.SandboxId;

/** The runtime has no instance of this id. */
public final class NoSuchInstance extends RuntimeFailure {
    public NoSuchInstance(SandboxId id) {
        super("there is no instance of " + id);
    }
}
