package io.bivouac.sandboxmodel.runtime;

import io.bivouac.sandboxmodel.Resources;
import io.bivouac.sandboxmodel.SandboxId;
import io.bivouac.sandboxmodel.template.Template;
import io.micronaut.core.annotation.Nullable;
import java.util.Map;

/**
 * What to make.
 *
 * @param project whose it is; {@link #NOBODY} of an instance that no sandbox belongs to yet
 * @param joinToken what the agent inside shows to the relay; fits this sandbox only
 * @param workspaceOf the sandbox whose kept data this one takes over
 * @param nestedSandbox whether programs in it may make sandboxes of their own
 */
public record InstanceSpec(
        SandboxId id,
        String project,
        Template template,
        Resources resources,
        Map<String, String> envs,
        String joinToken,
        @Nullable SandboxId workspaceOf,
        boolean nestedSandbox) {
    /** The project of an instance that no sandbox belongs to: tried out, or started ahead. */
    public static final String NOBODY = "";

    public InstanceSpec {
        envs = Map.copyOf(envs);
    }

    public boolean isUnowned() {
        return project.equals(NOBODY);
    }

    /** One in which no program makes a sandbox of its own. */
    public InstanceSpec(
            SandboxId id,
            String project,
            Template template,
            Resources resources,
            Map<String, String> envs,
            String joinToken,
            @Nullable SandboxId workspaceOf) {
        this(id, project, template, resources, envs, joinToken, workspaceOf, false);
    }
}
