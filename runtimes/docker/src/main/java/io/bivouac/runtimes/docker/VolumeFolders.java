package io.bivouac.runtimes.docker;

import com.github.dockerjava.api.command.InspectContainerResponse;
import io.bivouac.sandboxmodel.SandboxId;
import io.bivouac.sandboxmodel.runtime.HostFolder;
import io.bivouac.sandboxmodel.runtime.HostFolders;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** Workspaces as the volumes' folders, where the engine is on this host and this process may look at them. */
record VolumeFolders(Containers containers) implements HostFolders {
    @Override
    public Optional<HostFolder> workspace(SandboxId id) {
        return containers.find(id).flatMap(VolumeFolders::workspaceOf);
    }

    private static Optional<HostFolder> workspaceOf(InspectContainerResponse container) {
        return container.getMounts().stream()
                .filter(mount -> mount.getDestination().getPath().equals(Workload.WORKSPACE))
                .map(mount -> Path.of(mount.getSource()))
                .filter(Files::isDirectory)
                .findFirst()
                .flatMap(VolumeFolders::withOwner);
    }

    /** An engine with a user namespace of its own numbers users otherwise: the folder knows. */
    private static Optional<HostFolder> withOwner(Path folder) {
        try {
            int uid = (int) Files.getAttribute(folder, "unix:uid", LinkOption.NOFOLLOW_LINKS);
            return Optional.of(new HostFolder(folder, uid));
        } catch (IOException notForUs) {
            return Optional.empty();
        }
    }

    @Override
    public List<String> launchPrefix() {
        return List.of();
    }
}
