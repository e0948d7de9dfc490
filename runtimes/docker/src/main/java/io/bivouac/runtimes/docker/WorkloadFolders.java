package io.bivouac.runtimes.docker;

import com.github.dockerjava.api.command.InspectContainerResponse;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveOutputStream;

/** Gives the folders that commands may write to the workload, before a container's first start. */
final class WorkloadFolders {
    private static final int RWX_FOR_OWNER_RX_FOR_ALL = 0755;

    private WorkloadFolders() {}

    /**
     * By the volumes' own folders on this machine; false where this process does not see them or is not root.
     * A container can change what is in such a folder, but never the folder's own name, so no link is met.
     */
    static boolean chown(InspectContainerResponse container) {
        try {
            for (var mount : container.getMounts()) {
                var path = mount.getDestination().getPath();
                if (path.equals(Workload.WORKSPACE) || path.equals(Workload.HOME)) {
                    var folder = Path.of(mount.getSource());
                    Files.setAttribute(folder, "unix:uid", Workload.UID, LinkOption.NOFOLLOW_LINKS);
                    Files.setAttribute(folder, "unix:gid", Workload.GID, LinkOption.NOFOLLOW_LINKS);
                }
            }
            return true;
        } catch (IOException notHere) {
            return false;
        }
    }

    /**
     * As an archive that the engine unpacks: it works everywhere and needs no program in the image, but was the
     * slowest step of a create, since the engine starts a process and mounts everything for it.
     */
    static InputStream archive() {
        var bytes = new ByteArrayOutputStream();
        try (var tar = new TarArchiveOutputStream(bytes)) {
            folder(tar, Workload.WORKSPACE);
            folder(tar, Workload.HOME);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return new ByteArrayInputStream(bytes.toByteArray());
    }

    private static void folder(TarArchiveOutputStream tar, String path) throws IOException {
        var entry = new TarArchiveEntry(path.substring(1) + "/");
        entry.setIds(Workload.UID, Workload.GID);
        entry.setMode(RWX_FOR_OWNER_RX_FOR_ALL);
        tar.putArchiveEntry(entry);
        tar.closeArchiveEntry();
    }
}
