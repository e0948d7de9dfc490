package io.bivouac.runtimes.bubblewrap.linux;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** What is mounted, as /proc/self/mountinfo tells it. */
public final class Mounts {
    private static final Path TABLE = Path.of("/proc/self/mountinfo");

    private Mounts() {}

    /**
     * One mount.
     *
     * @param options those of the file system
     */
    public record Mount(Path target, String type, Set<String> options) {}

    public static List<Mount> all() {
        try (var lines = Files.lines(TABLE)) {
            return lines.map(Mounts::parse).toList();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + TABLE, e);
        }
    }

    public static Set<Path> under(Path folder) {
        return all().stream()
                .map(Mount::target)
                .filter(target -> target.startsWith(folder))
                .collect(Collectors.toSet());
    }

    /** The mount that a path lies on. */
    public static Mount of(Path path) {
        return all().stream()
                .filter(mount -> path.startsWith(mount.target()))
                .reduce((one, other) ->
                        other.target().getNameCount() >= one.target().getNameCount() ? other : one)
                .orElseThrow();
    }

    private static Mount parse(String line) {
        var fields = line.split(" ", -1);
        int separator = Arrays.asList(fields).indexOf("-");
        return new Mount(
                Path.of(unescape(fields[4])),
                fields[separator + 1],
                Arrays.stream(fields[separator + 3].split(",", -1)).collect(Collectors.toUnmodifiableSet()));
    }

    /** The kernel writes blanks as octal numbers. */
    private static String unescape(String text) {
        return text.replace("\\040", " ")
                .replace("\\011", "\t")
                .replace("\\012", "\n")
                .replace("\\134", "\\");
    }
}
