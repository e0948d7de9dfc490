package io.bivouac.sandboxmodel.runtime;

import io.bivouac.sandboxmodel.SandboxId;
import java.util.List;

/** The way to the agents inside sandboxes, for runtimes that run commands through them. */
public interface AgentLink {
    /** Runs a command to its end; a {@link RuntimeFailure} says why it could not, or that it took too long. */
    ExecResult exec(SandboxId id, List<String> argv, ExecOptions options);

    /** Whether the sandbox's agent is registered now. */
    boolean isConnected(SandboxId id);
}
