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
    /** Waits as long as an answer may take. */
    public static final StartPlan WAITING = new StartPlan(null, _ -> {});

    public static final StartPlan IN_BACKGROUND = new StartPlan(Duration.ZERO, _ -> {});

    boolean waits() {
        return !Duration.ZERO.equals(atMost);
    }
}
