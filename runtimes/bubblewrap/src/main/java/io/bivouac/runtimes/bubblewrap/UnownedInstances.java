package io.bivouac.runtimes.bubblewrap;

import io.bivouac.sandboxmodel.StripedLocks;
import io.bivouac.sandboxmodel.runtime.InstanceSpec;
import io.bivouac.sandboxmodel.runtime.RuntimeFailure;
import io.bivouac.sandboxmodel.runtime.WarmInstances;
import java.io.IOException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/**
 * Gives running instances without an owner away: the limits of a control group can be changed while it runs, and
 * whose an instance is stands in its file alone.
 *
 * @param locks those under which the runtime changes an instance
 */
record UnownedInstances(
        Instances instances, Supervision supervision, Machine machine, SoonOnMedium medium, StripedLocks locks)
        implements WarmInstances {
    /** A disk has its size from its making on, and what a sandbox may do inside is decided when it starts. */
    @Override
    public boolean canBecome(InstanceSpec spec) {
        return spec.workspaceOf() == null
                && !spec.nestedSandbox()
                && spec.resources().diskBytes() == spec.template().resources().diskBytes();
    }

    @Override
    public void become(InstanceSpec spec) {
        locks.holding(spec.id(), () -> {
            var instance = instances.require(spec.id());
            if (supervision.process(instances.folder(spec.id())).isEmpty()) {
                throw new RuntimeFailure(spec.id() + " has ended");
            }
            var now = Instant.now().truncatedTo(ChronoUnit.MILLIS);
            var owned = instance.ownedBy(spec, now);
            if (!owned.limits().equals(instance.limits())) {
                machine.cgroups().limit(instance.id(), owned.limits());
            }
            write(owned);
        });
    }

    private void write(InstanceFile instance) {
        try {
            instances.write(instance);
            medium.add(instances.folder(instance.sandbox()).instance());
        } catch (IOException e) {
            throw new RuntimeFailure("cannot write down whose " + instance.id() + " is: " + e, e);
        }
    }
}
