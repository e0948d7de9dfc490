package io.bivouac.sandboxes.lifecycle;

import io.bivouac.sandboxmodel.SandboxId;
import io.micronaut.core.annotation.Nullable;
import java.time.Duration;
import java.util.function.Consumer;

/**
 * How a start is waited for, and what belongs to it.
 *
 * @param atMost how long the outcome is waited for, zero for not at all; null for as long as an answer may take
 * @param ownStep called when the instance has been made and before it starts; only without one can the sandbox be one
 *     that runs already
 */
public record StartPlan(@Nullable Duration atMost, @Nullable Consumer<SandboxId> ownStep) {
    /** Waits as long as an answer may take. */
    public static final StartPlan WAITING = new StartPlan(null, null);

    public static final StartPlan IN_BACKGROUND = new StartPlan(Duration.ZERO, null);

    boolean hasOwnStep() {
        return ownStep != null;
    }

    void beforeStart(SandboxId id) {
        if (ownStep != null) {
            ownStep.accept(id);
        }
    }

    boolean waits() {
        return !Duration.ZERO.equals(atMost);
    }
}
