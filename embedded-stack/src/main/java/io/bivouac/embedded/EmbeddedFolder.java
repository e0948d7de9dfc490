package io.bivouac.embedded;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The folder that one embedded server keeps its data in. */
final class EmbeddedFolder {
    private EmbeddedFolder() {}

    static Path create(Path folder) throws IOException {
        try {
            var home = Files.createDirectories(folder).toRealPath();
            if (Files.isWritable(home)) {
                return home;
            }
        } catch (IOException e) {
            throw new EmbeddedStackException("The folder %s cannot be made: %s".formatted(folder, e.getMessage()), e);
        }
        throw new EmbeddedStackException(
                "The folder %s is not writable for %s.".formatted(folder, System.getProperty("user.name")));
    }
}
