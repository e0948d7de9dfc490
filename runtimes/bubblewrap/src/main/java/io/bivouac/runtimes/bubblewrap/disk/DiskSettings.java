package io.bivouac.runtimes.bubblewrap.disk;

import io.micronaut.core.annotation.Nullable;
import java.time.Duration;

/**
 * How disks are made.
 *
 * @param firstUid the first host id that sandboxes may have; null where the server itself has only one
 * @param poolBytes the size of the disks in the pool
 * @param reserve how much of the disk they leave free
 * @param subordinate the ids of an ordinary user's sandboxes; null where there are none
 */
public record DiskSettings(
        Kind kind,
        @Nullable Integer firstUid,
        int uidRanges,
        int poolSize,
        long poolBytes,
        Duration poolPause,
        Reserve reserve,
        @Nullable SubordinateIds subordinate) {
    /** For root, or for a user who has only one id; no space is reserved. */
    public DiskSettings(
            Kind kind, @Nullable Integer firstUid, int uidRanges, int poolSize, long poolBytes, Duration poolPause) {
        this(kind, firstUid, uidRanges, poolSize, poolBytes, poolPause, Reserve.NONE, null);
    }

    /** What holds the limit; {@code auto} is the best that works here. */
    public enum Kind {
        AUTO,
        IMAGE,
        FOLDER
    }
}
