package io.bivouac.launcher;

import java.nio.file.Path;

/** Where data goes when nothing is said: the system's state folder for root, the user's data folder otherwise. */
final class DefaultDataDir {
    private DefaultDataDir() {}

    static Path of(SettingSource source) {
        if ("root".equals(System.getProperty("user.name"))) {
            return Path.of("/var/lib/bivouac");
        }
        return source.path("XDG_DATA_HOME")
                .orElse(Path.of(System.getProperty("user.home"), ".local", "share"))
                .resolve("bivouac");
    }
}
