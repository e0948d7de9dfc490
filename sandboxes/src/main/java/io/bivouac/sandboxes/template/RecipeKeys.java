package io.bivouac.sandboxes.template;

import io.bivouac.foundation.yaml.YamlFile;
import io.bivouac.sandboxmodel.template.Template;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The keys of a recipe beside those of a template: how its tree is built. */
public final class RecipeKeys {
    public static final List<String> BUILD = List.of("base", "tools", "apt", "pip", "npm", "go", "files", "ready");

    private RecipeKeys() {}

    /** All keys that somebody may write. */
    public static List<String> all() {
        return java.util.stream.Stream.concat(
                        TemplateFile.KEYS.stream().filter(key -> !key.equals("roots")), BUILD.stream())
                .toList();
    }

    /** What a recipe says of the template's sandboxes. It has no roots yet. */
    public static Template template(Map<String, Object> recipe, YamlFile file) {
        var entry = new LinkedHashMap<>(recipe);
        BUILD.forEach(entry::remove);
        entry.remove(BuiltTemplates.BUILT);
        return TemplateFile.one(entry, file);
    }
}
