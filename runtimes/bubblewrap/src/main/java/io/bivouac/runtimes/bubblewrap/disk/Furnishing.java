package io.bivouac.runtimes.bubblewrap.disk;

import io.micronaut.core.annotation.Nullable;
import java.io.IOException;
import java.nio.file.Path;

/**
 * Fills the folder that a sandbox will have, as far as that can be done before the sandbox is known. A new file or
 * folder can cost a millisecond on a large file system, a rename or an overwrite next to nothing.
 */
@FunctionalInterface
public interface Furnishing {
    /** @param uid who is root in the sandbox */
    void furnish(Path folder, @Nullable Integer uid) throws IOException;
}
