package io.bivouac.runtimes.bubblewrap;

import io.bivouac.runtimes.bubblewrap.cgroup.CgroupDetection;
import io.bivouac.runtimes.bubblewrap.cgroup.Cgroups;
import io.bivouac.runtimes.bubblewrap.disk.Disks;
import io.bivouac.runtimes.bubblewrap.linux.Libc;
import io.bivouac.sandboxes.runtime.Capabilities;
import io.bivouac.sandboxes.runtime.Installation;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** What this machine gives to the sandboxes of one installation. Tests give less, to see what happens then. */
record Machine(Path data, Cgroups cgroups, Disks disks, Guards guards) {
    private static final int SHORT = 12;

    static Machine detect(BubblewrapSettings settings, Path data, Installation installation) {
        return new Machine(
                data,
                CgroupDetection.detect(cgroupParent(settings, installation)),
                Disks.in(data, settings.disks(data, Libc.isRoot()), Skeleton::furnish),
                Guards.ALL);
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
        if (!Libc.isRoot()) {
            notes.add("Commands run as one user only: the server is not root, so sandboxes have no ids of their own.");
        }
        return new Capabilities(
                Libc.isRoot(),
                cgroups.limitsMemory(),
                cgroups.limitsPids(),
                cgroups.limitsCpu(),
                weakness == null,
                List.copyOf(notes));
    }
}
