package io.bivouac.runtimes.bubblewrap;

import io.bivouac.sandboxmodel.runtime.RuntimeFailure;
import io.bivouac.sandboxmodel.template.Template;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** A template's root, looked at from outside as a sandbox would see it from inside. */
final class TemplateRoot {
    private static final int MOST_LINKS = 40;

    /** What a sandbox sees of the host. */
    private static final List<Path> HOST_FOLDERS = List.of(
            Path.of("/usr"),
            Path.of("/bin"),
            Path.of("/sbin"),
            Path.of("/lib"),
            Path.of("/lib64"),
            Path.of("/etc/alternatives"));

    private final String name;
    private final Path folder;
    private final boolean host;

    private TemplateRoot(String name, Path folder, boolean host) {
        this.name = name;
        this.folder = folder;
        this.host = host;
    }

    static TemplateRoot of(Template template) {
        var root = template.rootFor(BubblewrapRuntime.NAME);
        if (root == null) {
            throw new RuntimeFailure("template " + template.name() + " has no root for bubblewrap");
        }
        template.howToBuild(BubblewrapRuntime.NAME).ifPresent(how -> {
            throw new RuntimeFailure(how);
        });
        boolean host = root.equals(Template.HOST_ROOT);
        var folder = host ? Path.of("/") : Path.of(root);
        if (!folder.isAbsolute() || !Files.isDirectory(folder)) {
            throw new RuntimeFailure(
                    "template " + template.name() + ": the root " + root + " is not a folder on this machine");
        }
        return new TemplateRoot(root, folder, host);
    }

    /** Where it is on the host. */
    Path folder() {
        return folder;
    }

    boolean isHost() {
        return host;
    }

    /** {@code host} or the tree's path. */
    String name() {
        return name;
    }

    /** For each command that the template promises the place where this root has it. */
    Map<String, String> commands(Template template) {
        var found = new TreeMap<String, String>();
        template.commands().forEach((command, candidates) -> {
            var place = candidates.stream()
                    .filter(candidate -> isExecutable(Path.of(candidate)))
                    .findFirst()
                    .orElseThrow(() -> new RuntimeFailure("template " + template.name() + " promises " + command
                            + ", but the root " + name + " has none of " + String.join(", ", candidates)));
            found.put(command, place);
        });
        return found;
    }

    /** The best shell there is. */
    Optional<String> shell() {
        return List.of("/bin/bash", "/bin/sh").stream()
                .filter(shell -> isExecutable(Path.of(shell)))
                .findFirst();
    }

    /** A file of the root's /etc, for those that a sandbox extends; the host's own are none of its business. */
    Optional<String> etc(String file) {
        if (host) {
            return Optional.empty();
        }
        try {
            return resolve(Path.of("/etc", file)).isPresent()
                    ? Optional.of(
                            Files.readString(resolve(Path.of("/etc", file)).get()))
                    : Optional.empty();
        } catch (IOException unreadable) {
            return Optional.empty();
        }
    }

    private boolean isExecutable(Path inside) {
        return resolve(inside)
                .filter(Files::isRegularFile)
                .filter(Files::isExecutable)
                .isPresent();
    }

    /** Follows links as if this root were the whole world: an absolute one starts again at its top. */
    private Optional<Path> resolve(Path inside) {
        var path = inside.normalize();
        for (int links = 0; links <= MOST_LINKS; links++) {
            var next = followFirstLink(path);
            if (next.isEmpty()) {
                var resolved = path;
                boolean visible = !host || HOST_FOLDERS.stream().anyMatch(resolved::startsWith);
                return visible ? Optional.of(outside(path)) : Optional.empty();
            }
            path = next.get();
        }
        return Optional.empty();
    }

    private Optional<Path> followFirstLink(Path inside) {
        var walked = Path.of("/");
        for (int i = 0; i < inside.getNameCount(); i++) {
            var entry = walked.resolve(inside.getName(i));
            if (Files.isSymbolicLink(outside(entry))) {
                try {
                    var target = walked.resolve(Files.readSymbolicLink(outside(entry)));
                    var rest =
                            i + 1 < inside.getNameCount() ? inside.subpath(i + 1, inside.getNameCount()) : Path.of("");
                    return Optional.of(target.resolve(rest).normalize());
                } catch (IOException gone) {
                    return Optional.empty();
                }
            }
            walked = entry;
        }
        return Optional.empty();
    }

    private Path outside(Path inside) {
        return folder.resolve(Path.of("/").relativize(inside));
    }
}
