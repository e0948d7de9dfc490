package io.bivouac.agentlink;

import io.bivouac.agent.v1.ListeningPort;
import io.bivouac.sandboxmodel.SandboxId;
import java.util.List;

/** Hears on which ports of sandboxes programs listen, on the network's thread: it must return at once. */
public interface PortsListener {
    /**
     * Told after a registration, and whenever the ports changed.
     *
     * @param bootId which start of the agent tells it; another one's ports have all ended
     * @param ports all of them, each once; its text is cleaned
     */
    void listening(SandboxId sandbox, String bootId, List<ListeningPort> ports);
}
