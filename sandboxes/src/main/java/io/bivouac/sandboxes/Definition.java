package io.bivouac.sandboxes;

import io.micronaut.core.annotation.Nullable;
import java.util.Map;

/**
 * What its maker asked for.
 *
 * @param workspace the id of a kept workspace that this sandbox took over, if it did
 */
public record Definition(
        String template,
        @Nullable String name,
        Resources resources,
        Map<String, String> envs,
        Map<String, String> labels,
        @Nullable String workspace) {
    public Definition {
        envs = Map.copyOf(envs);
        labels = Map.copyOf(labels);
    }
}
