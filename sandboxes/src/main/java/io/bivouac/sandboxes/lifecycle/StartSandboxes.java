package io.bivouac.sandboxes.lifecycle;

import io.bivouac.foundation.access.Caller;
import io.bivouac.sandboxmodel.SandboxId;
import io.bivouac.sandboxmodel.runtime.SandboxRuntime;
import io.bivouac.sandboxmodel.transition.Happening.StartRequested;
import io.micronaut.context.annotation.Requires;
import jakarta.inject.Singleton;

/** Starts stopped sandboxes again. Thread-safe. */
@Singleton
@Requires(beans = SandboxRuntime.class)
public class StartSandboxes {
    private final Sandboxes sandboxes;
    private final LifecycleCalls calls;
    private final RuntimeHealth health;
    private final CreateRules rules;

    StartSandboxes(Sandboxes sandboxes, LifecycleCalls calls, RuntimeHealth health, CreateRules rules) {
        this.rules = rules;
        this.sandboxes = sandboxes;
        this.health = health;
        this.calls = calls;
    }

    /** Waits until the sandbox runs, or as long as an answer may take; a start that fails is refused. */
    public StartedSandbox start(SandboxId id, Caller caller) {
        health.mustWork();
        rules.mustHaveDisk();
        try (var _ = calls.take(id)) {
            var starting = sandboxes.change(id, caller, new StartRequested());
            return calls.start(starting, StartPlan.WAITING).mustNotHaveFailed();
        }
    }
}
