package io.bivouac.sandboxmodel.runtime;

import io.bivouac.sandboxmodel.SandboxId;

/** The runtime has no instance of this id. */
public final class NoSuchInstance extends RuntimeFailure {
    public NoSuchInstance(SandboxId id) {
        super("there is no instance of " + id);
    }
}
