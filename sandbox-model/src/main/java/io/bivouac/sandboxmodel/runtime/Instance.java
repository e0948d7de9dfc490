package io.bivouac.sandboxmodel.runtime;

import io.bivouac.sandboxmodel.SandboxId;
import io.micronaut.core.annotation.Nullable;
import java.time.Instant;
import java.util.Map;

/**
 * An instance as the runtime sees it.
 *
 * @param reference the runtime's own name for it (a container id, say)
 * @param detail how it ended, when it did
 */
public record Instance(
        SandboxId id,
        String project,
        State state,
        String reference,
        Map<String, String> labels,
        Instant createdAt,
        @Nullable String detail) {
    /** What a runtime knows about an instance. */
    public enum State {
        CREATED,
        RUNNING,
        /** It is there, and its processes are frozen. */
        PAUSED,
        STOPPED
    }

    public Instance {
        labels = Map.copyOf(labels);
    }

    /** Whether it has processes, frozen or not. */
    public boolean isAlive() {
        return state == State.RUNNING || state == State.PAUSED;
    }

    /** Whether no sandbox has ever had it. */
    public boolean isUnowned() {
        return project.equals(InstanceSpec.NOBODY);
    }
}
