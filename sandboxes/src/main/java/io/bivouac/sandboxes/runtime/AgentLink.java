package io.bivouac.sandboxes.runtime;

import io.bivouac.sandboxes.SandboxId;
import java.util.List;

/** The way to the agent inside a sandbox, for runtimes that run commands through it. */
public interface AgentLink {
    ExecResult exec(SandboxId id, List<String> argv, ExecOptions options);

    boolean isConnected(SandboxId id);
}
