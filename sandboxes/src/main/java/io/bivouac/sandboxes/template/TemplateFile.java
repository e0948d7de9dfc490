package io.bivouac.sandboxes.template;

import io.bivouac.foundation.yaml.YamlFile;
import io.bivouac.sandboxmodel.ByteSize;
import io.bivouac.sandboxmodel.Resources;
import io.bivouac.sandboxmodel.egress.EgressPolicy;
import io.bivouac.sandboxmodel.template.ManagedHooks;
import io.bivouac.sandboxmodel.template.Template;
import io.bivouac.sandboxmodel.template.WarmRange;
import io.micronaut.core.annotation.Nullable;
import java.io.Reader;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;

/** Reads templates from YAML: a list under {@code templates}. An unknown or ill-typed key is an error. */
final class TemplateFile {
    static final List<String> KEYS = List.of(
            "name",
            "description",
            "roots",
            "envs",
            "ports",
            "resources",
            "startCommand",
            "commands",
            "versions",
            "hooks",
            "egress",
            "maxLifetime",
            "warm",
            "warmMax");

    private static final Pattern LIFETIME = Pattern.compile("([1-9][0-9]{0,4})([mhd])");
    private static final int LARGEST_PORT = 65_535;

    private final YamlFile file;

    private TemplateFile(YamlFile file) {
        this.file = file;
    }

    static List<Template> read(Reader yaml, String source) {
        var file = new YamlFile(source);
        return new TemplateFile(file).templates(file.load(yaml));
    }

    static Template one(Map<String, Object> entry, YamlFile file) {
        return new TemplateFile(file).template(entry);
    }

    private List<Template> templates(Object document) {
        var templates = new ArrayList<Template>();
        for (var entry : file.list(file.map(document, "the file").get("templates"), "templates")) {
            templates.add(template(file.map(entry, "a template")));
        }
        return templates;
    }

    private Template template(Map<String, Object> entry) {
        var name = Objects.toString(entry.get("name"), "");
        if (name.isBlank()) {
            throw file.wrong("a template has no name");
        }
        for (var key : entry.keySet()) {
            if (!KEYS.contains(key)) {
                throw file.wrong("template " + name + " has an unknown key " + key);
            }
        }
        var commands = new LinkedHashMap<String, List<String>>();
        file.map(entry.get("commands"), "commands").forEach((command, places) -> commands.put(command, texts(places)));
        return new Template(
                name,
                Objects.toString(entry.get("description"), ""),
                textMap(entry.get("roots"), "roots"),
                textMap(entry.get("envs"), "envs"),
                file.list(entry.get("ports"), "ports").stream()
                        .map(port -> port(name, port.toString()))
                        .toList(),
                resources(file.map(entry.get("resources"), "resources")),
                texts(entry.get("startCommand")),
                commands,
                versions(name, textMap(entry.get("versions"), "versions"), commands),
                texts(entry.get("hooks")).stream()
                        .map(program -> hooks(name, program))
                        .toList(),
                egress(name, file.map(entry.get("egress"), "egress")),
                maxLifetime(name, entry.get("maxLifetime")),
                warm(name, entry.get("warm"), entry.get("warmMax")));
    }

    private @Nullable WarmRange warm(String template, @Nullable Object least, @Nullable Object most) {
        if (least == null && most == null) {
            return null;
        }
        try {
            int few = least == null ? 0 : Integer.parseInt(least.toString());
            return most == null ? WarmRange.from(few) : new WarmRange(few, Integer.parseInt(most.toString()));
        } catch (NumberFormatException notOne) {
            throw file.wrong("template " + template + ": warm and warmMax must be whole numbers");
        } catch (IllegalArgumentException outOfBounds) {
            throw file.wrong("template " + template + ": " + outOfBounds.getMessage());
        }
    }

    private int port(String template, String text) {
        try {
            int port = Integer.parseInt(text);
            if (port > 0 && port <= LARGEST_PORT) {
                return port;
            }
        } catch (NumberFormatException notOne) {
            // Said below.
        }
        throw file.wrong(
                "template " + template + " has a port " + text + "; it must be a number from 1 to " + LARGEST_PORT);
    }

    private Duration maxLifetime(String template, @Nullable Object given) {
        if (given == null) {
            return Template.DEFAULT_MAX_LIFETIME;
        }
        var words = LIFETIME.matcher(given.toString());
        if (!words.matches()) {
            throw file.wrong("template " + template + " has a maxLifetime of " + given
                    + "; it must be a number of minutes, hours or days, as in 90m, 24h or 7d");
        }
        long number = Long.parseLong(words.group(1));
        return switch (words.group(2)) {
            case "m" -> Duration.ofMinutes(number);
            case "h" -> Duration.ofHours(number);
            default -> Duration.ofDays(number);
        };
    }

    private ManagedHooks hooks(String template, String program) {
        return ManagedHooks.ofWireName(program)
                .orElseThrow(() -> file.wrong("template " + template + " has hooks for " + program
                        + "; they are known of claude-code, codex, aider and node-fetch"));
    }

    private EgressPolicy egress(String template, Map<String, Object> given) {
        if (!List.of("allow", "ask").containsAll(given.keySet())) {
            throw file.wrong("template " + template + " has an egress with something else than allow and ask");
        }
        if (!(given.getOrDefault("ask", true) instanceof Boolean ask)) {
            throw file.wrong("template " + template + ", egress: ask must be true or false");
        }
        try {
            return EgressPolicy.allowing(texts(given.get("allow"))).asking(ask);
        } catch (IllegalArgumentException notAHost) {
            throw file.wrong("template " + template + ", egress: " + notAHost.getMessage());
        }
    }

    private Map<String, String> versions(String template, Map<String, String> versions, Map<String, ?> commands) {
        for (var command : versions.keySet()) {
            if (!commands.containsKey(command)) {
                throw file.wrong(
                        "template " + template + " has a version for " + command + ", which is not in commands");
            }
        }
        return versions;
    }

    private static Resources resources(Map<String, Object> given) {
        var usual = Resources.DEFAULT;
        return new Resources(
                given.containsKey("cpu") ? Double.parseDouble(given.get("cpu").toString()) : usual.cpu(),
                given.containsKey("memory") ? ByteSize.parse(given.get("memory").toString()) : usual.memoryBytes(),
                given.containsKey("disk") ? ByteSize.parse(given.get("disk").toString()) : usual.diskBytes());
    }

    private Map<String, String> textMap(Object value, String what) {
        var texts = new LinkedHashMap<String, String>();
        file.map(value, what).forEach((key, text) -> texts.put(key, Objects.toString(text, "")));
        return texts;
    }

    private List<String> texts(Object value) {
        return file.list(value, "a list").stream().map(Object::toString).toList();
    }
}
