package io.bivouac.runtimes.bubblewrap.disk;

import io.bivouac.runtimes.bubblewrap.linux.Libc;
import io.bivouac.runtimes.bubblewrap.linux.Mounts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The folder of all disks as a mount of its own. A sandbox that starts lets go of it, and so of all other disks in one
 * step: else its start would take the longer, the more sandboxes there are.
 */
record CommonMount(Path folder) implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(CommonMount.class);

    /** Empty when disks are mounted already that would be hidden: those of a server that knew no such mount. */
    static Optional<CommonMount> make(Path folder) {
        try {
            var real = Files.createDirectories(folder).toRealPath();
            var mounts = Mounts.under(real);
            if (mounts.isEmpty()) {
                Libc.bindToItself(real);
            } else if (!mounts.contains(real)) {
                LOG.info("Sandboxes start more slowly until those that run now have ended and the server restarts");
                return Optional.empty();
            }
            return Optional.of(new CommonMount(real));
        } catch (IOException e) {
            LOG.warn("Sandboxes start more slowly the more there are: {}", e.getMessage());
            return Optional.empty();
        }
    }

    /** Stays while a sandbox uses a disk. */
    @Override
    public void close() {
        try {
            if (Mounts.under(folder).equals(Set.of(folder))) {
                Libc.unmount(folder);
            }
        } catch (IOException e) {
            LOG.warn("{} stays mounted: {}", folder, e.getMessage());
        }
    }
}
