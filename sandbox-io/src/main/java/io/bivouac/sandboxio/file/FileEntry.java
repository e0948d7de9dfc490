package io.bivouac.sandboxio.file;

import io.micronaut.core.annotation.Nullable;
import java.time.Instant;

/**
 * What a sandbox says about a file. Its texts are the sandbox's own and may hold any character.
 *
 * @param mode the lower twelve bits
 * @param user a name, or a number where there is none
 * @param target what a link says; null for others
 * @param version changes with every change of the contents
 */
public record FileEntry(
        String path,
        FileType type,
        long size,
        int mode,
        String user,
        String group,
        Instant modifiedAt,
        @Nullable String target,
        String version) {
    public String name() {
        int slash = path.lastIndexOf('/');
        return path.length() == 1 ? path : path.substring(slash + 1);
    }

    /** As HTTP has it. */
    public String etag() {
        return "\"" + version + "\"";
    }
}
