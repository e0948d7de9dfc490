package io.bivouac.sandboxes.store;

import io.bivouac.sandboxmodel.SandboxState;
import io.micronaut.core.annotation.Nullable;
import java.util.Map;

/** Which sandboxes a listing shows. */
public record SandboxFilter(
        @Nullable SandboxState state,
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
