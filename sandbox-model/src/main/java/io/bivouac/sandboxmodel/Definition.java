package io.bivouac.sandboxmodel;

import io.bivouac.sandboxmodel.egress.EgressPolicy;
import io.micronaut.core.annotation.Nullable;
import java.util.Map;

/**
 * What its maker asked for.
 *
 * @param workspace the id of a kept workspace that this sandbox took over, if it did
 * @param egress the hosts that it may reach; the one part that may change later
 * @param nestedSandbox whether programs in it may make sandboxes of their own
 * @param autoResume whether use of it resumes it when it is paused
 */
public record Definition(
        String template,
        @Nullable String name,
        Resources resources,
        Map<String, String> envs,
        Map<String, String> labels,
        @Nullable String workspace,
        EgressPolicy egress,
        boolean nestedSandbox,
        boolean autoResume) {
    public Definition {
        envs = Map.copyOf(envs);
        labels = Map.copyOf(labels);
    }

    /** One that stays paused until it is resumed. */
    public Definition(
            String template,
            @Nullable String name,
            Resources resources,
            Map<String, String> envs,
            Map<String, String> labels,
            @Nullable String workspace,
            EgressPolicy egress,
            boolean nestedSandbox) {
        this(template, name, resources, envs, labels, workspace, egress, nestedSandbox, false);
    }

    /** One in which no program makes a sandbox of its own. */
    public Definition(
            String template,
            @Nullable String name,
            Resources resources,
            Map<String, String> envs,
            Map<String, String> labels,
            @Nullable String workspace,
            EgressPolicy egress) {
        this(template, name, resources, envs, labels, workspace, egress, false);
    }

    /** One that reaches nothing. */
    public Definition(
            String template,
            @Nullable String name,
            Resources resources,
            Map<String, String> envs,
            Map<String, String> labels,
            @Nullable String workspace) {
        this(template, name, resources, envs, labels, workspace, EgressPolicy.NOTHING);
    }

    public Definition with(EgressPolicy other) {
        return new Definition(template, name, resources, envs, labels, workspace, other, nestedSandbox, autoResume);
    }
}
