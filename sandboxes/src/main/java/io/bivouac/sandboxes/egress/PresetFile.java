package io.bivouac.sandboxes.egress;

import io.bivouac.foundation.yaml.YamlFile;
import io.bivouac.sandboxmodel.egress.EgressPolicy;
import io.bivouac.sandboxmodel.egress.EgressRule;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Reads an operator's presets: a map from names to lists of hosts, under {@code presets}. */
final class PresetFile {
    private PresetFile() {}

    static Map<String, List<EgressRule>> read(Path path) {
        var file = new YamlFile(path.toString());
        var presets = new LinkedHashMap<String, List<EgressRule>>();
        try (var text = Files.newBufferedReader(path)) {
            var given = file.map(file.map(file.load(text), "the file").get("presets"), "presets");
            given.forEach((name, hosts) -> presets.put(name(file, name), hosts(file, name, hosts)));
            return presets;
        } catch (IOException unreadable) {
            throw new UncheckedIOException("cannot read the presets: " + unreadable.getMessage(), unreadable);
        }
    }

    private static String name(YamlFile file, String name) {
        if (!EgressPolicy.PRESET_NAME.matcher(name).matches() || name.equals(EgressPolicy.PUBLIC)) {
            throw file.wrong("a preset cannot be named " + name
                    + "; a name has small letters, digits and hyphens, and public is taken");
        }
        return name;
    }

    private static List<EgressRule> hosts(YamlFile file, String name, Object hosts) {
        try {
            var texts = file.list(hosts, "preset " + name).stream()
                    .map(Object::toString)
                    .toList();
            if (texts.stream().anyMatch(text -> text.startsWith(EgressPolicy.PRESET_SIGN))) {
                throw file.wrong("preset " + name + " names another preset; write its hosts");
            }
            return EgressPolicy.allowing(texts).rules();
        } catch (IllegalArgumentException wrong) {
            throw wrong.getMessage().startsWith(file.source())
                    ? wrong
                    : file.wrong("preset " + name + ": " + wrong.getMessage());
        }
    }
}
