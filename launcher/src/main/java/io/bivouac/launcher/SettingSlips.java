package io.bivouac.launcher;

import io.bivouac.sandboxmodel.Nearest;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** Variables of the environment that differ from a setting by a slip of the pen, and so would be ignored silently. */
final class SettingSlips {
    private static final String KNOWN = "settings.txt";

    private SettingSlips() {}

    /** A sentence for each. */
    static List<String> in(Map<String, String> environment) {
        var known = known();
        return environment.keySet().stream()
                .filter(name -> name.startsWith(SettingSource.PREFIX) && !known.contains(name))
                .sorted()
                .flatMap(name -> Nearest.slip(name, known)
                        .map(meant -> "%s is no setting, and does nothing. Did you mean %s?".formatted(name, meant))
                        .stream())
                .toList();
    }

    /** The names of settings that the documentation has. */
    static Set<String> known() {
        try (var list = SettingSlips.class.getResourceAsStream(KNOWN)) {
            return new String(list.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> !line.isBlank())
                    .collect(Collectors.toSet());
        } catch (IOException unreadable) {
            throw new UncheckedIOException("cannot read " + KNOWN, unreadable);
        }
    }
}
