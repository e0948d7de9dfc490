package io.bivouac.sandboxmodel.runtime;

import io.bivouac.sandboxmodel.SandboxId;
import java.util.List;
import java.util.Optional;

/** An ability that a runtime may have: its sandboxes' workspaces are folders of this host. */
public interface HostFolders {
    /** The workspace of an instance that has started; empty when it is not on this host, or not there. */
    Optional<HostFolder> workspace(SandboxId id);

    /** What a program that is to act for the users of these folders is started with; nothing where root starts it. */
    List<String> launchPrefix();
}
