package io.bivouac.runtimes.bubblewrap;

import io.bivouac.runtimes.bubblewrap.cgroup.CgroupDetection;
import io.bivouac.runtimes.bubblewrap.cgroup.Cgroups;
import io.bivouac.runtimes.bubblewrap.disk.Disks;
import io.bivouac.runtimes.bubblewrap.disk.SubordinateIds;
import io.bivouac.runtimes.bubblewrap.linux.Libc;
import io.bivouac.sandboxmodel.runtime.Capabilities;
import io.bivouac.sandboxmodel.runtime.Installation;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * What this machine gives to the sandboxes of one installation. Tests give less, to see what happens then.
 *
 * @param users whether a sandbox has users of its own, of which the agent is one and the workload another
 */
record Machine(Path data, Cgroups cgroups, Disks disks, Guards guards, boolean users) {
    private static final int SHORT = 12;

    /** As root. */
    Machine(Path data, Cgroups cgroups, Disks disks, Guards guards) {
        this(data, cgroups, disks, guards, true);
    }

    static Machine detect(BubblewrapSettings settings, Path agent, Path data, Installation installation) {
        var subordinate = SubordinateIds.detect(agent, data);
        return new Machine(
                data,
                CgroupDetection.detect(cgroupParent(settings, installation)),
                Disks.in(data, settings.disks(data, Libc.isRoot(), subordinate.orElse(null)), Skeleton::furnish),
                Guards.ALL,
                Libc.isRoot() || subordinate.isPresent());
    }

    static Path cgroupParent(BubblewrapSettings settings, Installation installation) {
        var id = installation.id();
        return Path.of(settings.cgroupParent(), id.substring(Math.max(0, id.length() - SHORT)));
    }

    Capabilities capabilities() {
        var notes = new ArrayList<>(cgroups.notes());
        var weakness = disks.weakness();
        if (weakness != null) {
            notes.add("The limit on disk space is not enforced: " + weakness + ".");
        }
        if (!users) {
            notes.add("Commands run as one user only: the server is not root and has no subordinate ids"
                    + " (/etc/subuid and /etc/subgid, with the package uidmap).");
        }
        return new Capabilities(
                users,
                cgroups.limitsMemory(),
                cgroups.limitsPids(),
                cgroups.limitsCpu(),
                weakness == null,
                List.copyOf(notes));
    }
}
