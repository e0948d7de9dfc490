package io.bivouac.sandboxmodel.runtime;

import io.bivouac.sandboxmodel.ByteSize;
import java.util.Optional;

/**
 * The free disk space that sandboxes must leave to the host: its database is often on the same disk.
 *
 * @param totalBytes of the file system that disks are on
 * @param freeBytes of it
 * @param reservedBytes how much of it no sandbox may take; zero for none
 * @param reached whether so little is free that nothing new is stored, until more is free again
 */
public record DiskReserve(long totalBytes, long freeBytes, long reservedBytes, boolean reached) {
    public static final DiskReserve NONE = new DiskReserve(0, 0, 0, false);

    /** Why no sandbox can be made or started now, as a sentence. */
    public Optional<String> objection() {
        return reached
                ? Optional.of("The disk of this host has " + megabytes(freeBytes) + " free of " + megabytes(totalBytes)
                        + ", and " + megabytes(reservedBytes)
                        + " of that are reserved (BIVOUAC_BUBBLEWRAP_DISK_RESERVE). Delete"
                        + " sandboxes, kept workspaces or other files there; it is looked at again all the time.")
                : Optional.empty();
    }

    private static String megabytes(long bytes) {
        return bytes == 0 ? "0" : ByteSize.format(Math.max(1, bytes >> 20) << 20);
    }
}
