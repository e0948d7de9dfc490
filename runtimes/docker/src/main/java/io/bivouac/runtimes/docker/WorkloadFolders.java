package io.bivouac.runtimes.docker;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveOutputStream;

/**
 * The folders that commands may write, as an archive that the engine unpacks into a container before its first
 * start: it needs no program in the image, and works for a mounted volume as well.
 */
final class WorkloadFolders {
    private static final int RWX_FOR_OWNER_RX_FOR_ALL = 0755;

    private WorkloadFolders() {}

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
