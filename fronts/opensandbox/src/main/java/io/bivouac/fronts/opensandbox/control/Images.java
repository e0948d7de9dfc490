package io.bivouac.fronts.opensandbox.control;

import io.bivouac.sandboxes.template.Templates;
import io.bivouac.sandboxmodel.template.Template;
import jakarta.inject.Singleton;
import java.util.List;

/** Which template stands for an image that a program was written for. Thread-safe. */
@Singleton
class Images {
    private static final String DEFAULT = "default";
    private static final String LATEST = ":latest";

    /** A plain Linux is what the default template is. */
    private static final List<String> PLAIN = List.of("ubuntu", "debian");

    private final Templates templates;

    Images(Templates templates) {
        this.templates = templates;
    }

    /** The name of a template; that of the image itself where none stands for it, which a create then refuses. */
    String template(String image) {
        if (templates.find(image).isPresent()) {
            return image;
        }
        var name = image.substring(image.lastIndexOf('/') + 1);
        if (templates.find(name).isPresent()) {
            return name;
        }
        int colon = name.indexOf(':');
        var untagged = colon < 0 ? name : name.substring(0, colon);
        if (templates.find(untagged).isPresent()) {
            return untagged;
        }
        if (PLAIN.contains(untagged)) {
            return DEFAULT;
        }
        return colon < 0 || name.endsWith(LATEST) ? anyVersion(untagged, image) : image;
    }

    private String anyVersion(String untagged, String image) {
        return templates.all().stream()
                .map(Template::name)
                .filter(name -> name.startsWith(untagged + ":"))
                .findFirst()
                .orElse(image);
    }
}
