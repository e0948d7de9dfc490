package io.bivouac.sandboxes.template;

import io.bivouac.sandboxmodel.error.BivouacException;
import io.bivouac.sandboxmodel.error.ErrorCode;
import io.bivouac.sandboxmodel.template.Template;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;

/** The catalogue. Immutable. */
public final class Templates {
    private final SequencedMap<String, Template> byName = new LinkedHashMap<>();

    public Templates(Collection<Template> templates) {
        templates.forEach(template -> byName.put(template.name(), template));
    }

    public Collection<Template> all() {
        return byName.sequencedValues();
    }

    /** Empty also for one that an operator has taken away since. */
    public Optional<Template> find(String name) {
        return Optional.ofNullable(byName.get(name));
    }

    public Template get(String name) {
        var template = byName.get(name);
        if (template == null) {
            throw new BivouacException(
                    ErrorCode.TEMPLATE_NOT_FOUND,
                    "There is no template '" + name + "'; there are " + String.join(", ", byName.keySet()) + ".",
                    Map.of("template", name));
        }
        return template;
    }
}
