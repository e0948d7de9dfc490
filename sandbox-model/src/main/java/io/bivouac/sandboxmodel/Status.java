package io.bivouac.sandboxmodel;

import io.micronaut.core.annotation.Nullable;
import java.time.Instant;

/**
 * The state and what goes with it.
 *
 * @param reason why a sandbox is in error
 * @param stopReason who stopped a stopped one, or one that failed while it was being stopped
 * @param teardown where a stopping one is going
 * @param since when it came into this state
 * @param agentConnected whether its agent was said to be connected, and has not been said to be gone since
 */
public record Status(
        SandboxState state,
        @Nullable String reason,
        @Nullable StopReason stopReason,
        @Nullable Teardown teardown,
        Instant since,
        boolean agentConnected) {
    public Status {
        if ((state == SandboxState.STOPPING) != (teardown != null)) {
            throw new IllegalArgumentException("a teardown belongs to stopping, and only there: " + state);
        }
    }

    public static Status of(SandboxState state, Instant now) {
        return new Status(state, null, null, null, now, false);
    }

    public static Status failed(String reason, Instant now) {
        return new Status(SandboxState.ERROR, reason, null, null, now, false);
    }

    /** Failed while it was being cleaned up for this reason. */
    public static Status failed(String reason, @Nullable StopReason stopReason, Instant now) {
        return new Status(SandboxState.ERROR, reason, stopReason, null, now, false);
    }

    public static Status stopping(Teardown teardown, Instant now) {
        return new Status(SandboxState.STOPPING, null, null, teardown, now, false);
    }

    public static Status stopped(StopReason reason, Instant now) {
        return new Status(SandboxState.STOPPED, null, reason, null, now, false);
    }

    /** The same with its agent connected, or not. */
    public Status withAgent(boolean connected) {
        return new Status(state, reason, stopReason, teardown, since, connected);
    }
}
