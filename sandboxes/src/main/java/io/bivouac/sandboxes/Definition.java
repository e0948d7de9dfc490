package io.bivouac.sandboxes;

import io.micronaut.core.annotation.Nullable;
import java.util.Map;

/**
 * What its maker asked for.
 *
 * @param workspace the id of a kept workspace that this sandbox took over, if it did
 * @param nestedSandbox whether programs in it may make sandboxes of their own
 */
public record Definition(
        String template,
        @Nullable String name,
        Resources resources,
        Map<String, String> envs,
        Map<String, String> labels,
        @Nullable String workspace,
        boolean nestedSandbox) {
    public Definition {
        envs = Map.copyOf(envs);
        labels = Map.copyOf(labels);
    }

    /** One in which no program makes a sandbox of its own. */
    public Definition(
            String template,
            @Nullable String name,
            Resources resources,
            Map<String, String> envs,
            Map<String, String> labels,
            @Nullable String workspace) {
        this(template, name, resources, envs, labels, workspace, false);
    }
}
