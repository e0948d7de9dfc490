package io.bivouac.sandboxes.store;

import io.micronaut.core.annotation.Nullable;
import java.util.Map;

/**
 * Which sandboxes a listing shows.
 *
 * @param state as clients see it: {@link io.bivouac.sandboxmodel.Sandbox#shownState}
 */
public record SandboxFilter(
        @Nullable String state,
        @Nullable String template,
        Map<String, String> labels,
        @Nullable String cursor,
        int limit) {
    public SandboxFilter {
        labels = Map.copyOf(labels);
    }

    public static SandboxFilter everything(int limit) {
        return new SandboxFilter(null, null, Map.of(), null, limit);
    }
}
