package io.bivouac.runtimes.bubblewrap;

import io.bivouac.runtimes.bubblewrap.cgroup.Cgroups;
import io.bivouac.runtimes.bubblewrap.disk.Disks;
import io.bivouac.sandboxmodel.SandboxId;
import io.bivouac.sandboxmodel.SortableId;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Accounts at start for whatever a crash has left: what no instance knows is removed, all under our own folders. */
final class Recovery {
    private static final Logger LOG = LoggerFactory.getLogger(Recovery.class);

    private final Instances instances;
    private final Cgroups cgroups;
    private final Disks disks;

    Recovery(Instances instances, Cgroups cgroups, Disks disks) {
        this.instances = instances;
        this.cgroups = cgroups;
        this.disks = disks;
    }

    void run() {
        for (var name : cgroups.names()) {
            if (SortableId.matches(SandboxId.PREFIX, name) && !instances.isKnown(new SandboxId(name))) {
                LOG.info("Removing the control group of {}, which is no instance", name);
                cgroups.remove(name);
            }
        }
        for (var id : instances.ids()) {
            if (!instances.isKnown(id)) {
                LOG.info("Removing the folder of {}, which was never finished", id);
                Removal.delete(instances.folder(id).path());
            }
        }
        disks.recover(instances.list().stream().map(InstanceFile::disk).collect(Collectors.toSet()));
    }
}
