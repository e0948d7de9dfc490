package io.bivouac.sandboxes.template;

import io.bivouac.sandboxmodel.error.BivouacException;
import io.bivouac.sandboxmodel.error.ErrorCode;
import io.bivouac.sandboxmodel.template.Template;
import java.nio.file.Path;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;

/**
 * The catalogue: the templates of files, and those that are built while the server runs. A name of a file stands for
 * what is built only where the file says that it is to be built. Thread-safe.
 */
public final class Templates {
    /** A catalogue without any. */
    public static final Templates NONE =
            new Templates(List.of(), new BuiltTemplates(new TemplateFolder(Path.of("/nonexistent"))));

    private final SequencedMap<String, Template> byName = new LinkedHashMap<>();
    private final BuiltTemplates built;

    public Templates(Collection<Template> templates, BuiltTemplates built) {
        templates.forEach(template -> byName.put(template.name(), template));
        this.built = built;
    }

    public Collection<Template> all() {
        var all = new LinkedHashMap<>(byName);
        built.all().forEach((name, found) -> {
            if (!all.containsKey(name) || all.get(name).isToBeBuilt()) {
                all.put(name, found.template());
            }
        });
        return all.sequencedValues();
    }

    /** Empty also for one that an operator has taken away since. */
    public Optional<Template> find(String name) {
        var ofFile = byName.get(name);
        return ofFile != null && !ofFile.isToBeBuilt()
                ? Optional.of(ofFile)
                : built.find(name).map(BuiltTemplate::template).or(() -> Optional.ofNullable(ofFile));
    }

    public Template get(String name) {
        return find(name).orElseThrow(() -> {
            var names = all().stream().map(Template::name).toList();
            return new BivouacException(
                    ErrorCode.TEMPLATE_NOT_FOUND,
                    "There is no template '" + name + "'; there are " + String.join(", ", names) + ".",
                    Map.of("template", name));
        });
    }

    /** What is known of its tree; empty for a template that needs none. */
    public Optional<BuiltTemplate> built(String name) {
        var ofFile = byName.get(name);
        return ofFile != null && !ofFile.isToBeBuilt() ? Optional.empty() : built.find(name);
    }
}
