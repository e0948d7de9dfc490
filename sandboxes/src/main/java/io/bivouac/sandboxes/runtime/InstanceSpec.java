package io.bivouac.sandboxes.runtime;

import io.bivouac.sandboxes.Resources;
import io.bivouac.sandboxes.SandboxId;
import io.bivouac.sandboxes.template.Template;
import io.micronaut.core.annotation.Nullable;
import java.util.Map;

/**
 * What to make.
 *
 * @param joinToken what the agent inside shows to the relay; fits this sandbox only
 * @param workspaceOf the sandbox whose kept data this one takes over
 */
public record InstanceSpec(
        SandboxId id,
        String project,
        Template template,
        Resources resources,
        Map<String, String> envs,
        String joinToken,
        @Nullable SandboxId workspaceOf) {
    public InstanceSpec {
        envs = Map.copyOf(envs);
    }
}
