package io.bivouac.runtimes.bubblewrap;

import io.bivouac.runtimes.bubblewrap.disk.Disk;
import io.bivouac.runtimes.bubblewrap.linux.Libc;
import io.bivouac.sandboxmodel.SandboxId;
import io.bivouac.sandboxmodel.runtime.HostFolder;
import io.bivouac.sandboxmodel.runtime.HostFolders;
import io.bivouac.sandboxmodel.runtime.RuntimeFailure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** Workspaces as they lie on their disks. */
record WorkspaceFolders(Instances instances, Machine machine, Path agent) implements HostFolders {
    /** The sandbox's ordinary user, as the sandbox itself numbers it. */
    private static final int WORKLOAD = 1000;

    @Override
    public Optional<HostFolder> workspace(SandboxId id) {
        return instances
                .find(id)
                .map(instance -> machine.disks().require(instance.disk()))
                .filter(disk -> Files.isDirectory(disk.workspace()))
                .map(disk -> new HostFolder(disk.workspace(), owner(disk)));
    }

    private int owner(Disk disk) {
        if (disk.uid() != null) {
            return disk.uid() + WORKLOAD;
        }
        // Mapped, the ids are those of the inside; without any there is only the server's own.
        return machine.users() ? WORKLOAD : ownerOf(disk.workspace());
    }

    private static int ownerOf(Path folder) {
        try {
            return (int) Files.getAttribute(folder, "unix:uid");
        } catch (IOException e) {
            throw new RuntimeFailure("cannot look at " + folder + ": " + e.getMessage(), e);
        }
    }

    @Override
    public List<String> launchPrefix() {
        boolean subordinate = machine.users() && !Libc.isRoot();
        return subordinate ? List.of(agent.toString(), "mapped", "--") : List.of();
    }
}
