package io.bivouac.sessions.pod;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;

/** A Pod whose files are in a folder of this machine, as Community Solid Server lays them out. Thread-safe. */
final class FolderStorage implements PodStorage {
    /** That server's mark between a resource's name and the ending that tells its type. */
    static final String TURTLE_ENDING = "$.ttl";

    private final Path folder;

    FolderStorage(Path folder) {
        this.folder = folder;
    }

    @Override
    public Optional<byte[]> read(String path) throws PodUnreadable {
        var named = file(path);
        return named.isPresent() ? named : file(path + TURTLE_ENDING);
    }

    @Override
    public Optional<Path> folder() {
        return Optional.of(folder);
    }

    private Optional<byte[]> file(String path) throws PodUnreadable {
        try {
            var root = folder.toRealPath();
            var file = root.resolve(path.substring(1)).toRealPath();
            if (!file.startsWith(root)) {
                throw new PodUnreadable(path + " leads out of the Pod");
            }
            if (!Files.isRegularFile(file)) {
                return Optional.empty();
            }
            try (var content = Files.newInputStream(file)) {
                var bytes = content.readNBytes(LARGEST + 1);
                if (bytes.length > LARGEST) {
                    throw new PodUnreadable(path + " is larger than " + LARGEST + " bytes");
                }
                return Optional.of(bytes);
            }
        } catch (NoSuchFileException missing) {
            if (!Files.isDirectory(folder)) {
                throw new PodUnreadable("its storage is not there");
            }
            return Optional.empty();
        } catch (IOException failed) {
            throw new PodUnreadable(path + " cannot be read");
        }
    }
}
