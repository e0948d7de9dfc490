package io.bivouac.runtimes.bubblewrap.linux;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.file.Path;

/**
 * Has ext4 spread the folders in a folder over the whole file system, as it does with those of users in /home. It gives
 * no inode away again within minutes of its deletion and steps over each such one whenever it looks for a free one. With
 * all sandboxes in one corner of the disk, one that is made soon after many were deleted waits for that at every file.
 */
public final class SpreadFolder {
    private static final long GET_FLAGS = 0x80086601L;
    private static final long SET_FLAGS = 0x40086602L;
    private static final long TOP_OF_HIERARCHY = 0x20000;

    private SpreadFolder() {}

    /** False on other file systems, which need no such advice. */
    public static boolean mark(Path folder) throws IOException {
        try (var file = Descriptors.open(folder, Descriptors.READ_ONLY);
                var arena = Arena.ofConfined()) {
            var flags = arena.allocate(JAVA_LONG);
            if (Descriptors.control(file, GET_FLAGS, flags) < 0) {
                return false;
            }
            flags.set(JAVA_LONG, 0, flags.get(JAVA_LONG, 0) | TOP_OF_HIERARCHY);
            return Descriptors.control(file, SET_FLAGS, flags) == 0;
        }
    }
}
