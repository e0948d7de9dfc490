package io.bivouac.launcher;

import io.bivouac.foundation.settings.KeyVariable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import org.yaml.snakeyaml.error.YAMLException;

/**
 * Settings by name: from the environment, else from the file given by {@code --config}. Empty means unset.
 *
 * @param asked the names that were asked for so far
 */
record SettingSource(Map<String, String> environment, Map<String, String> file, Set<String> asked) {
    static final String PREFIX = "BIVOUAC_";

    static SettingSource of(Map<String, String> environment, Optional<Path> file) {
        return new SettingSource(environment, file.map(SettingSource::read).orElse(Map.of()), new HashSet<>());
    }

    /** When all were asked for, a key of the file that nobody asked for is a slip of the pen. */
    void refuseUnasked() {
        file.keySet().stream()
                .filter(name -> !asked.contains(name))
                .sorted()
                .findFirst()
                .ifPresent(name -> {
                    throw new StartRefused(
                            "The configuration file has \"%s\", which is no key of it. See bivouac-server --help; finer settings are read from the environment, as %s."
                                    .formatted(keyOf(name), name));
                });
    }

    Optional<String> text(String name) {
        asked.add(name);
        return Optional.ofNullable(environment.get(name))
                .filter(value -> !value.isBlank())
                .or(() -> Optional.ofNullable(file.get(name)))
                .map(String::strip)
                .filter(value -> !value.isEmpty());
    }

    Optional<String> key(KeyVariable key) {
        try {
            return key.in(name -> text(name).orElse(null));
        } catch (IllegalArgumentException different) {
            throw new StartRefused(different.getMessage());
        }
    }

    Optional<Path> path(String name) {
        return text(name).map(Path::of).map(Path::toAbsolutePath);
    }

    Optional<Integer> number(String name, int largest) {
        return text(name).map(value -> {
            try {
                int number = Integer.parseInt(value);
                if (number >= 0 && number <= largest) {
                    return number;
                }
            } catch (NumberFormatException e) {
                // Said below, together with numbers out of range.
            }
            throw new StartRefused("%s is \"%s\"; it must be a number from 0 to %d.".formatted(name, value, largest));
        });
    }

    /** Both {@code BIVOUAC_DATA_DIR} and {@code data-dir} are keys; lists are joined by commas. */
    private static Map<String, String> read(Path file) {
        try (var reader = Files.newBufferedReader(file)) {
            Object content = new Yaml(new SafeConstructor(new LoaderOptions())).load(reader);
            var settings = new HashMap<String, String>();
            if (content instanceof Map<?, ?> entries) {
                entries.forEach((key, value) -> settings.put(nameOf(String.valueOf(key)), valueOf(value)));
            } else if (content != null) {
                throw new StartRefused("%s: expected lines of the form \"port: 8080\".".formatted(file));
            }
            return settings;
        } catch (IOException e) {
            throw new StartRefused("The configuration file %s cannot be read.".formatted(file), e);
        } catch (YAMLException e) {
            throw new StartRefused("%s is not YAML: %s".formatted(file, e.getMessage()), e);
        }
    }

    private static String nameOf(String key) {
        return key.startsWith(PREFIX)
                ? key
                : PREFIX + key.toUpperCase(java.util.Locale.ROOT).replace('-', '_');
    }

    private static String keyOf(String name) {
        return name.substring(PREFIX.length())
                .toLowerCase(java.util.Locale.ROOT)
                .replace('_', '-');
    }

    private static String valueOf(Object value) {
        return value instanceof List<?> list
                ? String.join(",", list.stream().map(String::valueOf).toList())
                : value == null ? "" : String.valueOf(value);
    }
}
