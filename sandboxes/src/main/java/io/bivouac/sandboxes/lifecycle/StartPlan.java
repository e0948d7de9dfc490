package io.bivouac.sandboxes.lifecycle;

import io.bivouac.sandboxmodel.SandboxId;
import io.micronaut.core.annotation.Nullable;
import java.time.Duration;
import java.util.function.Consumer;

/**
 * How a start is waited for, and what belongs to it.
 *
 * @param atMost how long the outcome is waited for, zero for not at all; null for as long as an answer may take
 * @param beforeStart called when the instance has been made and before it starts
 */
public record StartPlan(@Nullable Duration atMost, Consumer<SandboxId> beforeStart) {
    /** The step of a plan without one: only such a sandbox can be one that runs already. */
    public static final Consumer<SandboxId> NO_STEPS = _ -> {};

    /** Waits as long as an answer may take. */
    public static final StartPlan WAITING = new StartPlan(null, NO_STEPS);

    public static final StartPlan IN_BACKGROUND = new StartPlan(Duration.ZERO, NO_STEPS);

    boolean hasOwnSteps() {
        return beforeStart != NO_STEPS;
    }

    boolean waits() {
        return !Duration.ZERO.equals(atMost);
    }
}
