package io.bivouac.sandboxmodel.runtime;

import io.micronaut.core.annotation.Nullable;
import java.time.Duration;
import java.util.Map;
import java.util.Set;

/**
 * What a sandbox may do in a folder that it sees. Paths are from the folder's root, those of folders with a slash at
 * the end.
 *
 * @param lease for so long it counts, unless it is replaced before
 * @param within nothing else is seen; null for no such bound
 * @param entries what is said about a path decides about all below it that has no entry of its own
 */
public record FolderRights(Duration lease, @Nullable Set<String> within, Map<String, Entry> entries) {
    /** None includes another. */
    public enum Mode {
        READ,
        WRITE,
        APPEND
    }

    /** About the path itself, and about what is below. */
    public record Entry(Set<Mode> own, Set<Mode> below) {
        public static final Entry NOTHING = new Entry(Set.of(), Set.of());
    }

    public FolderRights {
        within = within == null ? null : Set.copyOf(within);
        entries = Map.copyOf(entries);
    }
}
