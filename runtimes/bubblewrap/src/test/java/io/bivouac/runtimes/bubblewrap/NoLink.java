package io.bivouac.runtimes.bubblewrap;

import io.bivouac.sandboxmodel.SandboxId;
import io.bivouac.sandboxmodel.runtime.AgentLink;
import io.bivouac.sandboxmodel.runtime.ExecOptions;
import io.bivouac.sandboxmodel.runtime.ExecResult;
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
