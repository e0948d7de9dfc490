package io.bivouac.sandboxes.template.build;

import io.bivouac.foundation.yaml.YamlFile;
import io.bivouac.sandboxes.template.RecipeKeys;
import io.bivouac.sandboxmodel.Nearest;
import java.io.IOException;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.yaml.snakeyaml.error.YAMLException;

/** Reads a recipe from YAML. Whatever it does not know is an error that says what it knows. */
final class RecipeFile {
    static final String MINIMAL = "minimal";
    static final int MOST_ENTRIES = 500;
    static final int LARGEST_FILE = 10 << 20;

    private static final Pattern NAME = Pattern.compile("[a-z0-9][a-z0-9._-]{0,62}(:[a-z0-9._-]{1,32})?");

    /** No option, and nothing that a shell or a program's argument list could take for something else. */
    private static final Pattern PACKAGE = Pattern.compile("[A-Za-z0-9@][A-Za-z0-9@/._+:~=<>!,\\[\\]-]{0,199}");

    private static final Pattern MODE = Pattern.compile("0?[0-7]{3}");

    private final YamlFile file;
    private final Path folder;
    private final Map<String, Object> entry;

    private RecipeFile(YamlFile file, Path folder, Map<String, Object> entry) {
        this.file = file;
        this.folder = folder;
        this.entry = entry;
    }

    /** @param folder where files that it names are looked for */
    static Recipe read(Reader yaml, String source, Path folder) {
        var file = new YamlFile(source);
        try {
            return new RecipeFile(file, folder, file.map(file.load(yaml), "the file")).recipe();
        } catch (YAMLException noYaml) {
            throw new BuildFailed(source + " is not YAML: " + noYaml.getMessage(), noYaml);
        } catch (IllegalArgumentException wrong) {
            throw new BuildFailed(wrong.getMessage(), wrong);
        }
    }

    private Recipe recipe() {
        mustKnowKeys(entry, RecipeKeys.all(), "key of a recipe");
        var name = String.valueOf(entry.getOrDefault("name", ""));
        if (!NAME.matcher(name).matches()) {
            throw file.wrong("name must be small letters, digits, dots and hyphens, such as my-tools or my-tools:2");
        }
        var base = entry.get("base");
        return new Recipe(
                entry,
                RecipeKeys.template(entry, file),
                base == null || base.equals(MINIMAL) ? Optional.empty() : Optional.of(base.toString()),
                texts("tools").stream().map(this::tool).toList(),
                new Recipe.Packages(packages("apt"), packages("pip"), packages("npm"), packages("go")),
                file.list(entry.get("files"), "files").stream()
                        .map(one -> added(file.map(one, "an entry of files")))
                        .toList(),
                ready(file.map(entry.get("ready"), "ready")));
    }

    private Recipe.Tool tool(String text) {
        return Arrays.stream(Recipe.Tool.values())
                .filter(tool -> tool.name().toLowerCase(Locale.ROOT).equals(text))
                .findFirst()
                .orElseThrow(() -> file.wrong("tools has " + text + "; it can have jdk, node and go"));
    }

    private List<String> packages(String key) {
        var all = texts(key);
        for (var one : all) {
            if (!PACKAGE.matcher(one).matches()) {
                throw file.wrong(key + " has \"" + one + "\", which is no name of a package");
            }
            if (key.equals("go") && !one.contains("@")) {
                throw file.wrong("go has \"" + one + "\"; it must have a version, as in " + one + "@v1.0.0");
            }
        }
        return all;
    }

    private List<String> texts(String key) {
        var all = file.list(entry.get(key), key);
        if (all.size() > MOST_ENTRIES) {
            throw file.wrong(key + " has " + all.size() + " entries, at most " + MOST_ENTRIES + " are taken");
        }
        return all.stream().map(String::valueOf).toList();
    }

    private AddedFile added(Map<String, Object> one) {
        mustKnowKeys(one, List.of("path", "content", "from", "mode"), "key of files");
        var path = Path.of(String.valueOf(one.getOrDefault("path", "")));
        if (!path.isAbsolute() || !path.equals(path.normalize()) || path.getNameCount() == 0) {
            throw file.wrong("files has the path \"" + path + "\"; it must be absolute, without . and ..");
        }
        var mode = String.valueOf(one.getOrDefault("mode", "0644"));
        if (!MODE.matcher(mode).matches()) {
            throw file.wrong("files: the mode of " + path + " must be text such as \"0755\"");
        }
        if ((one.get("content") == null) == (one.get("from") == null)) {
            throw file.wrong("files: " + path + " must have either content or from");
        }
        var content = switch (one.get("content")) {
            case null -> bytes(folder.resolve(one.get("from").toString()));
            case byte[] bytes -> bytes;
            case Object text -> text.toString().getBytes(StandardCharsets.UTF_8);
        };
        return new AddedFile(path.toString(), content, mode);
    }

    private byte[] bytes(Path from) {
        try {
            if (Files.size(from) > LARGEST_FILE) {
                throw file.wrong("files: " + from + " is larger than " + (LARGEST_FILE >> 20) + " MB");
            }
            return Files.readAllBytes(from);
        } catch (IOException unreadable) {
            throw file.wrong("files: " + from + " cannot be read");
        }
    }

    private Optional<ReadyCheck> ready(Map<String, Object> given) {
        if (given.isEmpty()) {
            return Optional.empty();
        }
        mustKnowKeys(given, List.of("command", "port", "timeoutSeconds"), "key of ready");
        var within = Duration.ofSeconds(number(given, "timeoutSeconds", ReadyCheck.USUAL.toSeconds()));
        if (within.isZero() || within.compareTo(ReadyCheck.LONGEST) > 0) {
            throw file.wrong("ready.timeoutSeconds must be between 1 and " + ReadyCheck.LONGEST.toSeconds());
        }
        if ((given.get("command") == null) == (given.get("port") == null)) {
            throw file.wrong("ready must have either a command or a port");
        }
        if (given.get("port") != null) {
            return Optional.of(ReadyCheck.port((int) number(given, "port", 0), within));
        }
        var command = new ArrayList<String>();
        file.list(given.get("command"), "ready.command").forEach(word -> command.add(String.valueOf(word)));
        return Optional.of(new ReadyCheck(List.copyOf(command), within));
    }

    private long number(Map<String, Object> given, String key, long usual) {
        var value = given.getOrDefault(key, usual);
        if (value instanceof Integer || value instanceof Long) {
            long number = ((Number) value).longValue();
            if (number > 0 && number <= 65_535) {
                return number;
            }
        }
        throw file.wrong("ready." + key + " must be a whole number from 1 to 65535, but is \"" + value + "\"");
    }

    private void mustKnowKeys(Map<String, Object> given, List<String> known, String what) {
        for (var key : given.keySet()) {
            if (!known.contains(key)) {
                throw file.wrong(key + " is no " + what
                        + Nearest.to(key, known)
                                .map(near -> "; did you mean " + near + "?")
                                .orElse("; there are " + String.join(", ", known)));
            }
        }
    }
}
