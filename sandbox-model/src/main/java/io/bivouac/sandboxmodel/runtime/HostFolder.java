package io.bivouac.sandboxmodel.runtime;

import java.nio.file.Path;

/**
 * A folder of the host that belongs to a sandbox's ordinary user.
 *
 * @param uid that user's id and group, as a program sees them that was started with the prefix of {@link HostFolders}
 */
public record HostFolder(Path folder, int uid) {
    public HostFolder {
        if (!folder.isAbsolute()) {
            throw new IllegalArgumentException("folder must be absolute, but is " + folder);
        }
        if (uid < 0) {
            throw new IllegalArgumentException("uid must not be negative, but is " + uid);
        }
    }
}
