package io.bivouac.sandboxmodel.runtime;

import io.bivouac.sandboxmodel.SandboxId;
import java.util.Optional;

/** An ability that a runtime may have: its sandboxes see folders of the host. Failures are those of the runtime. */
public interface FolderViews {
    /** Why no sandbox can see a folder on this machine, as a clause; empty when sandboxes can. */
    Optional<String> obstacle();

    /** Has an instance that was made, and has not started yet, see a folder. */
    void show(SandboxId id, FolderView view, FolderRights rights);

    /** Whether the instance is there and sees a folder. */
    boolean hasView(SandboxId id);

    /** Replaces what an instance may do in the folder that it sees; it counts a second later, also for open files. */
    void grant(SandboxId id, FolderRights rights);
}
