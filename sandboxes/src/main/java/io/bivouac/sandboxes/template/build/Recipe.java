package io.bivouac.sandboxes.template.build;

import io.bivouac.sandboxmodel.template.Template;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What a template is built from.
 *
 * @param text as it was read, for the file that keeps it
 * @param template what it says of sandboxes
 * @param base the recipe that it adds to; empty for a minimal system
 */
public record Recipe(
        Map<String, Object> text,
        Template template,
        Optional<String> base,
        List<Tool> tools,
        Packages packages,
        List<AddedFile> files,
        Optional<ReadyCheck> ready) {
    /** A language's own programs, from this machine or its registries. */
    enum Tool {
        JDK,
        NODE,
        GO
    }

    /** @param go modules with a version, whose programs are compiled */
    record Packages(List<String> apt, List<String> pip, List<String> npm, List<String> go) {}

    public String name() {
        return template.name();
    }
}
