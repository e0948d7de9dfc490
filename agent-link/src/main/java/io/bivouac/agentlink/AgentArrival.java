package io.bivouac.agentlink;

import io.bivouac.sandboxmodel.SandboxId;

/** What is to be ready before a sandbox is said to run. Called for each registration, on a thread that may wait. */
@FunctionalInterface
public interface AgentArrival {
    void arriving(SandboxId id);
}
