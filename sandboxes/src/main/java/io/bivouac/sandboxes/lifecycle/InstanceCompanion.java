package io.bivouac.sandboxes.lifecycle;

import io.bivouac.sandboxmodel.SandboxId;

/** Something that instances of this host have beside them while they run. Both calls may be repeated. */
public interface InstanceCompanion {
    /** The instance has started; nobody has been told yet that the sandbox runs. */
    void started(SandboxId id);

    /** The instance is about to be stopped or removed: nothing of its disk may be held open after this. */
    void beforeTeardown(SandboxId id);
}
