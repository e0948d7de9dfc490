package io.bivouac.agentlink;

import io.bivouac.sandboxmodel.SandboxId;

/** Serves the connections that programs in sandboxes open to their proxy. */
@FunctionalInterface
public interface EgressListener {
    /**
     * Called on the network's thread: it must return at once. Whatever is read from the stream is hostile; it must be
     * closed in the end.
     */
    void opened(SandboxId sandbox, CarriedStream program);
}
