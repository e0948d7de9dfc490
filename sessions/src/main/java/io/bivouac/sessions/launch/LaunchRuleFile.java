package io.bivouac.sessions.launch;

import io.bivouac.foundation.yaml.YamlFile;
import io.bivouac.sandboxmodel.egress.EgressPolicy;
import io.bivouac.sandboxmodel.template.ManagedHooks;
import io.micronaut.core.annotation.Nullable;
import java.io.Reader;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/** Reads launch rules from YAML: a list under {@code rules}. What is not understood is an error, never skipped. */
final class LaunchRuleFile {
    private static final Set<String> KEYS =
            Set.of("name", "executable", "prefix", "arguments", "environment", "hooks", "egress", "nestedSandbox");
    private static final Set<String> ARGUMENTS = Set.of("flags", "options", "words");
    private static final Pattern VARIABLE = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*\\*?|\\*[A-Za-z0-9_]+");

    private final YamlFile file;

    private LaunchRuleFile(YamlFile file) {
        this.file = file;
    }

    static List<LaunchRule> read(Reader yaml, String source) {
        var file = new YamlFile(source);
        return new LaunchRuleFile(file).rules(file.load(yaml));
    }

    private List<LaunchRule> rules(Object document) {
        var rules = new ArrayList<LaunchRule>();
        for (var entry : file.list(map(document, "the file", Set.of("rules")).get("rules"), "rules")) {
            rules.add(rule(map(entry, "a rule", KEYS)));
        }
        return rules;
    }

    private LaunchRule rule(Map<String, Object> entry) {
        var name = Objects.toString(entry.get("name"), "");
        if (name.isBlank() || name.contains("/")) {
            throw file.wrong("a rule needs a name without a slash");
        }
        var executables = texts(entry.get("executable"), name + ": executable");
        if (executables.isEmpty() || executables.stream().anyMatch(path -> !isWhole(path))) {
            throw file.wrong(name + ": executable must list whole paths without . or .. in them");
        }
        return new LaunchRule(
                name,
                executables,
                texts(entry.get("prefix"), name + ": prefix"),
                arguments(map(entry.get("arguments"), name + ": arguments", ARGUMENTS), name),
                new EnvironmentPolicy(variables(entry.get("environment"), name)),
                hooks(entry.get("hooks"), name),
                egress(map(entry.get("egress"), name + ": egress", Set.of("allow")), name),
                flag(entry.get("nestedSandbox"), name + ": nestedSandbox"));
    }

    private static boolean isWhole(String path) {
        return path.matches("(/[^/\\p{Cntrl}]+)+") && !path.matches(".*/\\.\\.?(/.*)?");
    }

    private ArgumentPolicy arguments(Map<String, Object> given, String name) {
        var flags = texts(given.get("flags"), name + ": flags");
        var options = new LinkedHashMap<String, Pattern>();
        map(given.get("options"), name + ": options", null)
                .forEach((option, value) -> options.put(option, pattern(Objects.toString(value, ""), name)));
        for (var flag : options.keySet()) {
            if (flags.contains(flag)) {
                throw file.wrong(name + ": " + flag + " cannot be both a flag and an option");
            }
        }
        var words = texts(given.get("words"), name + ": words").stream()
                .map(word -> pattern(word, name))
                .toList();
        return new ArgumentPolicy(Set.copyOf(flags), options, words);
    }

    private List<String> variables(@Nullable Object given, String rule) {
        var names = texts(given, rule + ": environment");
        for (var name : names) {
            if (!VARIABLE.matcher(name).matches()) {
                throw file.wrong(rule + ": environment has " + name + "; it lists names, with * at one end at most");
            }
            if (TurningVariables.include(name)) {
                throw file.wrong(rule + ": environment has " + name + ", which no rule can allow");
            }
        }
        return names;
    }

    private @Nullable ManagedHooks hooks(@Nullable Object given, String rule) {
        return given == null
                ? null
                : ManagedHooks.ofWireName(given.toString())
                        .orElseThrow(() -> file.wrong(rule + ": there are no hooks for " + given));
    }

    private EgressPolicy egress(Map<String, Object> given, String rule) {
        try {
            return EgressPolicy.allowing(texts(given.get("allow"), rule + ": egress.allow"));
        } catch (IllegalArgumentException notAHost) {
            throw file.wrong(rule + ": egress.allow: " + notAHost.getMessage());
        }
    }

    private Pattern pattern(String text, String rule) {
        try {
            return Pattern.compile(text);
        } catch (PatternSyntaxException malformed) {
            throw file.wrong(rule + ": " + text + " is no regular expression: " + malformed.getDescription());
        }
    }

    private boolean flag(@Nullable Object value, String what) {
        if (value == null || value instanceof Boolean) {
            return Boolean.TRUE.equals(value);
        }
        throw file.wrong(what + " must be true or false");
    }

    private List<String> texts(@Nullable Object value, String what) {
        return file.list(value, what).stream()
                .map(text -> Objects.toString(text, ""))
                .toList();
    }

    /** @param keys those that are known; null for any */
    private Map<String, Object> map(@Nullable Object value, String what, @Nullable Set<String> keys) {
        var typed = file.map(value, what);
        for (var key : typed.keySet()) {
            if (keys != null && !keys.contains(key)) {
                throw file.wrong(what + " has an unknown key " + key);
            }
        }
        return typed;
    }
}
