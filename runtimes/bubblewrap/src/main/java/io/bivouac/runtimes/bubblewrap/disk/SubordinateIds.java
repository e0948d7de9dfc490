package io.bivouac.runtimes.bubblewrap.disk;

import io.bivouac.runtimes.bubblewrap.linux.Libc;
import io.bivouac.runtimes.bubblewrap.linux.Spawn;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The further ids that an ordinary user was given in /etc/subuid and /etc/subgid. With them a sandbox has users of its
 * own; what belongs to those, only a program that is root over these ids can give away or remove.
 *
 * @param agent the program that becomes so
 */
public record SubordinateIds(Path agent) {
    private static final List<String> ENVIRONMENT = List.of("PATH=/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL=C");

    /** Empty for root, who needs none, and where there are none or they cannot be mapped. */
    public static Optional<SubordinateIds> detect(Path agent, Path data) {
        if (Libc.isRoot() || !Files.isExecutable(agent)) {
            return Optional.empty();
        }
        var ids = new SubordinateIds(agent);
        try {
            Files.createDirectories(data);
            ids.run(data.resolve("mapping.out"), "/usr/bin/true");
            return Optional.of(ids);
        } catch (IOException notMapped) {
            return Optional.empty();
        }
    }

    /** @param output a file for what it says, removed at the end */
    void run(Path output, Object... command) throws IOException {
        var argv = new ArrayList<>(List.of(agent.toString(), "mapped", "--"));
        for (var word : command) {
            argv.add(word.toString());
        }
        try {
            if (Spawn.run(argv, ENVIRONMENT, output) != 0) {
                throw new IOException(
                        command[0] + " failed: " + Files.readString(output).strip());
            }
        } finally {
            Files.deleteIfExists(output);
        }
    }
}
