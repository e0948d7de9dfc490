package io.bivouac.runtimes.bubblewrap;

import io.bivouac.sandboxes.SandboxId;
import io.bivouac.sandboxes.runtime.AgentLink;
import io.bivouac.sandboxes.runtime.ExecOptions;
import io.bivouac.sandboxes.runtime.ExecResult;
import java.util.List;

/** No relay: agents have nobody to talk to. */
final class NoLink implements AgentLink {
    static AgentLink get() {
        return new NoLink();
    }

    @Override
    public ExecResult exec(SandboxId id, List<String> argv, ExecOptions options) {
        throw new AssertionError("there is no relay here to run commands through");
    }

    @Override
    public boolean isConnected(SandboxId id) {
        return true;
    }
}
