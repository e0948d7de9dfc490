package io.bivouac.sandboxmodel.runtime;

import io.bivouac.sandboxmodel.SandboxId;
import java.util.Optional;

/**
 * An ability that a runtime may have: the processes of an instance are frozen where they are, with all that they hold,
 * and go on later. Whoever stops or removes a paused instance need not resume it. Failures are those of the runtime.
 */
public interface PausableInstances {
    /** Why no instance can be paused on this machine, as a sentence; empty when it can. */
    Optional<String> obstacle();

    /** Returns when no process of the running instance runs any more; a paused one stays as it is. */
    void pause(SandboxId id);

    /** Has a paused instance go on; a running one stays as it is. */
    void resume(SandboxId id);
}
