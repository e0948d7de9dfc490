package io.bivouac.sandboxmodel.runtime;

import io.bivouac.sandboxmodel.SandboxId;
import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Set;

/**
 * Where agents of this machine find their relays: a folder for each sandbox that runs, which is all that the sandbox
 * sees. A runtime makes and removes it; each relay of the machine opens a socket in it.
 *
 * @param all the folder that theirs are in
 */
public record RelaySockets(Path all) {
    private static final Set<PosixFilePermission> OWN = PosixFilePermissions.fromString("rwx------");

    /** A relay may be about to open its socket in a folder that goes. */
    private static final Duration LONGEST_REMOVAL = Duration.ofSeconds(2);

    public RelaySockets {
        all = all.toAbsolutePath();
    }

    public Path of(SandboxId id) {
        return all.resolve(id.value());
    }

    /** Makes the sandbox's folder, closed to others, unless it is there. */
    public Path make(SandboxId id) {
        var folder = of(id);
        try {
            Files.createDirectory(folder, PosixFilePermissions.asFileAttribute(OWN));
        } catch (FileAlreadyExistsException before) {
            // Of a start that was cut off, or that is done again.
            return folder;
        } catch (IOException failed) {
            throw new RuntimeFailure("cannot make the folder of the relays' sockets for " + id + ": " + failed, failed);
        }
        return folder;
    }

    /** Sockets in it are closed for new connections; those that are open stay so. */
    public void remove(SandboxId id) {
        var folder = of(id);
        long deadline = System.nanoTime() + LONGEST_REMOVAL.toNanos();
        try {
            while (Files.isDirectory(folder)) {
                try {
                    empty(folder);
                    Files.deleteIfExists(folder);
                } catch (DirectoryNotEmptyException more) {
                    if (System.nanoTime() - deadline > 0) {
                        throw more;
                    }
                } catch (NoSuchFileException gone) {
                    return;
                }
            }
        } catch (IOException failed) {
            throw new RuntimeFailure("cannot remove the relays' sockets of " + id + ": " + failed, failed);
        }
    }

    private static void empty(Path folder) throws IOException {
        try (var sockets = Files.newDirectoryStream(folder)) {
            for (var socket : sockets) {
                Files.deleteIfExists(socket);
            }
        }
    }
}
