package io.bivouac.launcher.doctor;

import io.bivouac.sandboxmodel.runtime.Check;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Pattern;

/** Whether this process runs inside a container: many a missing right is explained by that. */
final class Container {
    private static final Pattern GROUP = Pattern.compile("/(docker|kubepods|libpod|lxc|containerd)");

    private Container() {}

    static Check check() {
        return Check.fine(
                "container",
                kind().map(kind ->
                                "the server runs inside one (" + kind + "): rights that it lacks are the container's")
                        .orElse("the server runs on the machine itself"));
    }

    private static Optional<String> kind() {
        if (Files.exists(Path.of("/.dockerenv"))) {
            return Optional.of("docker");
        }
        if (Files.exists(Path.of("/run/.containerenv"))) {
            return Optional.of("podman");
        }
        var matcher = GROUP.matcher(read(Path.of("/proc/1/cgroup")));
        return matcher.find() ? Optional.of(matcher.group(1)) : Optional.empty();
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException unreadable) {
            return "";
        }
    }
}
