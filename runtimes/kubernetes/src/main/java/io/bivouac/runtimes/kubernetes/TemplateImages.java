package io.bivouac.runtimes.kubernetes;

import io.bivouac.sandboxmodel.runtime.RuntimeFailure;
import io.bivouac.sandboxmodel.template.Template;
import io.micronaut.core.annotation.Nullable;
import java.util.Optional;

/**
 * The images that templates name. Whether a node has one, or gets it, is known only there.
 *
 * @param usual of templates that name none for Kubernetes; null to take theirs for Docker, which is an image as well
 */
record TemplateImages(@Nullable String usual) {
    private static final String DOCKER = "docker";

    Optional<String> whyMissing(Template template) {
        if (find(template).isPresent()) {
            return Optional.empty();
        }
        return Optional.of("The template " + template.name()
                + " names no image for Kubernetes (roots: kubernetes), and BIVOUAC_KUBERNETES_IMAGE is not set.");
    }

    String of(Template template) {
        return find(template)
                .orElseThrow(() -> new RuntimeFailure(whyMissing(template).orElseThrow()));
    }

    private Optional<String> find(Template template) {
        return named(template, KubernetesRuntime.NAME)
                .or(() -> Optional.ofNullable(usual))
                .or(() -> named(template, DOCKER));
    }

    private static Optional<String> named(Template template, String runtime) {
        return Optional.ofNullable(template.rootFor(runtime)).filter(root -> !root.equals(Template.TO_BE_BUILT));
    }
}
