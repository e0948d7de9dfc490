package io.bivouac.runtimes.bubblewrap;

import io.bivouac.runtimes.bubblewrap.linux.Spawn;
import io.bivouac.sandboxmodel.runtime.RuntimeFailure;
import io.bivouac.sandboxmodel.template.Template;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;

/** Whether a root has what its template promises. Thread-safe. */
final class TemplatePromises {
    private static final Pattern VERSION = Pattern.compile("\\d+(\\.\\d+)*");
    private static final Duration REMEMBERED_FOR = Duration.ofMinutes(1);

    /** For a program that does not answer. */
    private static final List<String> FIVE_SECONDS = List.of("/usr/bin/timeout", "-s", "KILL", "5");

    private final Path bwrap;
    private final Path data;
    private final Map<Template, Known> known = new ConcurrentHashMap<>();

    private record Known(List<String> shortcomings, long until) {}

    TemplatePromises(Path bwrap, Path data) {
        this.bwrap = bwrap;
        this.data = data;
    }

    /** One sentence for each promise that is not kept. */
    List<String> shortcomings(Template template) {
        var before = known.get(template);
        if (before != null && before.until() - System.nanoTime() > 0) {
            return before.shortcomings();
        }
        var found = look(template);
        known.put(template, new Known(found, System.nanoTime() + REMEMBERED_FOR.toNanos()));
        return found;
    }

    private List<String> look(Template template) {
        try {
            var root = TemplateRoot.of(template);
            var places = root.commands(template);
            var shortcomings = new ArrayList<String>();
            template.versions().forEach((command, promised) -> {
                var place = places.get(command);
                var actual = version(root, place).orElse("a version that it does not tell");
                if (!actual.equals(promised) && !actual.startsWith(promised + ".")) {
                    shortcomings.add("Template %s promises %s %s, but %s of the root %s is %s."
                            .formatted(template.name(), command, promised, place, root.name(), actual));
                }
            });
            return List.copyOf(shortcomings);
        } catch (RuntimeFailure missing) {
            return List.of(missing.getMessage());
        }
    }

    /** Asked inside a sandbox of its own: the program may be from anywhere. */
    private Optional<String> version(TemplateRoot root, String place) {
        var argv = new ArrayList<>(FIVE_SECONDS);
        argv.addAll(List.of(bwrap.toString(), "--unshare-all", "--die-with-parent", "--clearenv"));
        argv.addAll(List.of("--ro-bind", root.folder().toString(), "/", "--", place, "--version"));
        try {
            var output = Files.createTempFile(data, "version", ".out");
            try {
                return Spawn.run(argv, List.of("PATH=/usr/bin:/bin"), output) == 0
                        ? VERSION.matcher(Files.readString(output))
                                .results()
                                .findFirst()
                                .map(result -> result.group())
                        : Optional.empty();
            } finally {
                Files.deleteIfExists(output);
            }
        } catch (IOException e) {
            throw new RuntimeFailure("cannot write in " + data + ": " + e, e);
        }
    }
}
