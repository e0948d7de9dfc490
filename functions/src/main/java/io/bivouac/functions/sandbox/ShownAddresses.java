package io.bivouac.functions.sandbox;

import io.bivouac.foundation.access.Caller;
import io.bivouac.foundation.access.Role;
import io.bivouac.functions.sandbox.SandboxView.NfsView;
import io.bivouac.sandboxes.nfs.NfsAddresses;
import io.bivouac.sandboxmodel.SandboxId;
import io.bivouac.sandboxmodel.SandboxState;
import jakarta.inject.Singleton;
import java.util.List;

/** Adds to running sandboxes where their ports can be reached, and where their workspaces can be mounted. */
@Singleton
class ShownAddresses {
    private final ShownPorts ports;
    private final NfsAddresses exports;

    ShownAddresses(ShownPorts ports, NfsAddresses exports) {
        this.ports = ports;
        this.exports = exports;
    }

    SandboxView addedTo(SandboxView view, Caller caller) {
        return withNfs(ports.addedTo(view), caller);
    }

    List<SandboxView> addedTo(List<SandboxView> views, Caller caller) {
        return ports.addedTo(views).stream().map(view -> withNfs(view, caller)).toList();
    }

    /** A path that is a secret is for those who may change files anyway. */
    SandboxView withNfs(SandboxView view, Caller caller) {
        if (!view.state().equals(SandboxState.RUNNING.wireName())) {
            return view;
        }
        return exports.of(new SandboxId(view.id()))
                .filter(address -> !address.secret() || caller.role().includes(Role.DEVELOPER))
                .map(address -> view.withNfs(NfsView.of(address)))
                .orElse(view);
    }
}
