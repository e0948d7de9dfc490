package io.bivouac.runtimes.bubblewrap;

import io.bivouac.runtimes.bubblewrap.cgroup.Cgroups;
import io.bivouac.runtimes.bubblewrap.disk.Disks;
import io.bivouac.runtimes.bubblewrap.linux.HostProcess;
import io.bivouac.sandboxmodel.SandboxId;
import io.bivouac.sandboxmodel.runtime.RuntimeFailure;
import io.bivouac.sandboxmodel.runtime.Usage;
import java.io.IOException;
import java.util.Optional;

/** What an instance uses right now. */
final class InstanceStats {
    private final Cgroups cgroups;
    private final Disks disks;
    private final CpuMeter meter = new CpuMeter();

    InstanceStats(Cgroups cgroups, Disks disks) {
        this.cgroups = cgroups;
        this.disks = disks;
    }

    Usage of(InstanceFile instance, Optional<HostProcess> process) {
        var disk = new Usage.Bytes(diskUsage(instance), instance.diskBytes());
        if (process.isEmpty()) {
            meter.forget(instance.sandbox());
            return new Usage(
                    new Usage.Cpu(0, instance.cpu()),
                    new Usage.Bytes(0, instance.memoryBytes()),
                    disk,
                    new Usage.Network(0, 0),
                    0);
        }
        double cores = meter.cores(
                instance.sandbox(), () -> cgroups.used(instance.id()).cpuNanos());
        var used = cgroups.used(instance.id());
        return new Usage(
                new Usage.Cpu(cores, instance.cpu()),
                new Usage.Bytes(used.memoryBytes(), instance.memoryBytes()),
                disk,
                NetworkCounters.of(process.get().pid()),
                used.pids());
    }

    void forget(SandboxId id) {
        meter.forget(id);
    }

    boolean isMetered(SandboxId id) {
        return meter.remembers(id);
    }

    private long diskUsage(InstanceFile instance) {
        try {
            return disks.usedBytes(disks.require(instance.disk()));
        } catch (IOException e) {
            throw new RuntimeFailure("cannot look at the disk of " + instance.id() + ": " + e, e);
        }
    }
}
