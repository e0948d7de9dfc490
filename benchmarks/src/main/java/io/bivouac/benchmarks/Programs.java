package io.bivouac.benchmarks;

import io.bivouac.runtimes.bubblewrap.linux.Spawn;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Runs programs of this machine by posix_spawn, which costs less than any shell or Java's own way. */
final class Programs {
    private static final List<String> FOLDERS =
            List.of("/usr/local/sbin", "/usr/local/bin", "/usr/sbin", "/usr/bin", "/sbin", "/bin");
    private static final Path NOWHERE = Path.of("/dev/null");

    private Programs() {}

    static Optional<String> find(String program) {
        return FOLDERS.stream()
                .map(folder -> Path.of(folder, program))
                .filter(Files::isExecutable)
                .map(Path::toString)
                .findFirst();
    }

    static void run(List<String> argv, String... environment) {
        int code = exitCode(argv, environment);
        if (code != 0) {
            throw new IllegalStateException("ended with " + code + ": " + String.join(" ", argv));
        }
    }

    static int exitCode(List<String> argv, String... environment) {
        var whole = Stream.concat(
                        Stream.of("PATH=" + String.join(":", FOLDERS), "HOME=/nonexistent"), Stream.of(environment))
                .toList();
        return Spawn.run(argv, whole, NOWHERE);
    }
}
