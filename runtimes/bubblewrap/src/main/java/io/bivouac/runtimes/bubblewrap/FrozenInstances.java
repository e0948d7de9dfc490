package io.bivouac.runtimes.bubblewrap;

import io.bivouac.runtimes.bubblewrap.cgroup.Cgroups;
import io.bivouac.sandboxmodel.SandboxId;
import io.bivouac.sandboxmodel.StripedLocks;
import io.bivouac.sandboxmodel.runtime.Instance.State;
import io.bivouac.sandboxmodel.runtime.PausableInstances;
import io.bivouac.sandboxmodel.runtime.RuntimeFailure;
import java.util.Optional;

/** Pauses instances by the freezer of their control group, which holds them whatever becomes of this process. */
final class FrozenInstances implements PausableInstances {
    private final Instances instances;
    private final Supervision supervision;
    private final Cgroups cgroups;
    private final StripedLocks locks;

    FrozenInstances(Instances instances, Supervision supervision, Cgroups cgroups, StripedLocks locks) {
        this.instances = instances;
        this.supervision = supervision;
        this.cgroups = cgroups;
        this.locks = locks;
    }

    @Override
    public Optional<String> obstacle() {
        return cgroups.obstacleToFreezing();
    }

    @Override
    public void pause(SandboxId id) {
        instances.require(id);
        locks.holding(id, () -> {
            var state = supervision.state(id, instances.folder(id));
            if (state == State.RUNNING) {
                cgroups.freeze(id.value());
            } else if (state != State.PAUSED) {
                throw new RuntimeFailure("cannot pause " + id + ": it does not run");
            }
            return id;
        });
    }

    @Override
    public void resume(SandboxId id) {
        instances.require(id);
        locks.holding(id, () -> {
            cgroups.thaw(id.value());
            return id;
        });
    }
}
