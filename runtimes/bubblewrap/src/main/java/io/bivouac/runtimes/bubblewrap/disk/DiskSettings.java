package io.bivouac.runtimes.bubblewrap.disk;

import io.micronaut.core.annotation.Nullable;
import java.time.Duration;

/**
 * How disks are made.
 *
 * @param firstUid the first host id that sandboxes may have; null where the server itself has only one
 * @param poolBytes the size of the disks in the pool
 */
public record DiskSettings(
        Kind kind, @Nullable Integer firstUid, int uidRanges, int poolSize, long poolBytes, Duration poolPause) {
    /** What holds the limit; {@code auto} is the best that works here. */
    public enum Kind {
        AUTO,
        IMAGE,
        FOLDER
    }
}
