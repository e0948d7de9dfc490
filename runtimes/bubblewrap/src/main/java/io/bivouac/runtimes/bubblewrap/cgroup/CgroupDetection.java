package io.bivouac.runtimes.bubblewrap.cgroup;

import io.bivouac.runtimes.bubblewrap.linux.Mounts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeMap;

/** Finds out what the host has: version 2 when that has the controllers, else version 1, else nothing. */
public final class CgroupDetection {
    private CgroupDetection() {}

    /** @param parent the path of our groups inside each hierarchy */
    public static Cgroups detect(Path parent) {
        var mounts = Mounts.all();
        for (var mount : mounts) {
            if (mount.type().equals("cgroup2") && hasControllers(mount.target())) {
                var two = new VersionTwo(mount.target(), mount.target().resolve(parent));
                return usable(mount.target().resolve(parent), two);
            }
        }
        var parents = new TreeMap<String, Path>();
        for (var mount : mounts) {
            for (var controller : VersionOne.CONTROLLERS) {
                if (mount.type().equals("cgroup")
                        && mount.options().contains(controller)
                        && isWritable(mount.target())) {
                    parents.put(controller, mount.target().resolve(parent));
                }
            }
        }
        return parents.isEmpty()
                ? new NoCgroups("this host mounts no cgroup controllers that can be written")
                : usable(parents.firstEntry().getValue(), new VersionOne(parents));
    }

    /** Whether the controllers are those of version 2; one without any may be mounted beside version 1. */
    public static boolean isVersionTwo() {
        return Mounts.all().stream()
                .anyMatch(mount -> mount.type().equals("cgroup2") && hasControllers(mount.target()));
    }

    /** In a container some may be read only; one of them must not cost the others. */
    private static boolean isWritable(Path mount) {
        return Files.isWritable(mount);
    }

    private static boolean hasControllers(Path mount) {
        var controllers = List.of(
                GroupFolders.read(mount.resolve("cgroup.controllers")).strip().split(" ", -1));
        return controllers.containsAll(List.of("memory", "pids", "cpu"));
    }

    private static Cgroups usable(Path folder, GroupFolders groups) {
        try {
            Files.createDirectories(folder);
            groups.enableControllers(folder);
            return groups;
        } catch (IOException refused) {
            return new NoCgroups("this user may not make control groups (" + refused.getMessage() + ")");
        }
    }
}
