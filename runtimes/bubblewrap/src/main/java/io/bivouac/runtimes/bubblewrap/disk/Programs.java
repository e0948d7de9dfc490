package io.bivouac.runtimes.bubblewrap.disk;

import io.bivouac.runtimes.bubblewrap.linux.Spawn;
import io.bivouac.sandboxmodel.runtime.RuntimeFailure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Runs the system's programs for disks: all of it work in the background. */
final class Programs {
    private static final List<String> FOLDERS = List.of("/usr/sbin", "/sbin", "/usr/bin", "/bin");

    private Programs() {}

    static Optional<Path> find(String name) {
        return FOLDERS.stream()
                .map(folder -> Path.of(folder, name))
                .filter(Files::isExecutable)
                .findFirst();
    }

    /** @param output a file for what it says, removed when all went well */
    static void run(Path output, String name, Object... arguments) throws IOException {
        var argv = new ArrayList<String>();
        argv.add(find(name)
                .orElseThrow(() -> new RuntimeFailure(name + " is not installed"))
                .toString());
        for (var argument : arguments) {
            argv.add(argument.toString());
        }
        int code = Spawn.run(argv, List.of("PATH=" + String.join(":", FOLDERS), "LC_ALL=C"), output);
        if (code != 0) {
            throw new IOException(name + " failed: " + Files.readString(output).strip());
        }
        Files.deleteIfExists(output);
    }
}
