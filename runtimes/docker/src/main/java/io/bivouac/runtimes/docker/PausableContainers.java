package io.bivouac.runtimes.docker;

import io.bivouac.sandboxmodel.SandboxId;
import io.bivouac.sandboxmodel.runtime.PausableInstances;
import java.util.Optional;

/** Pauses containers as the engine does: by the freezer of their control group. */
record PausableContainers(Containers containers) implements PausableInstances {
    @Override
    public Optional<String> obstacle() {
        return Optional.empty();
    }

    @Override
    public void pause(SandboxId id) {
        containers.pause(id, containers.require(id));
    }

    @Override
    public void resume(SandboxId id) {
        containers.resume(id, containers.require(id));
    }
}
