package io.bivouac.sandboxes.lifecycle;

import io.bivouac.foundation.access.Caller;
import io.bivouac.sandboxes.store.SandboxStore;
import io.bivouac.sandboxmodel.SandboxState;
import io.bivouac.sandboxmodel.runtime.SandboxRuntime;
import io.micronaut.context.annotation.Requires;
import jakarta.inject.Singleton;

/**
 * Makes sandboxes on this host. With {@link IdempotentCreates}, which takes the same steps, it is the only way to a new
 * sandbox, for every front. Thread-safe.
 */
@Singleton
@Requires(beans = SandboxRuntime.class)
public class CreateSandboxes {
    private final SandboxDrafts drafts;
    private final WarmClaims warm;
    private final AuditedChanges changes;
    private final LifecycleCalls calls;
    private final SandboxStore store;

    CreateSandboxes(
            SandboxDrafts drafts, WarmClaims warm, AuditedChanges changes, LifecycleCalls calls, SandboxStore store) {
        this.drafts = drafts;
        this.warm = warm;
        this.changes = changes;
        this.calls = calls;
        this.store = store;
    }

    /**
     * Makes a sandbox and starts it. Nothing is stored of an order that is refused; a sandbox whose start fails stays,
     * in the state that says so.
     */
    public StartedSandbox create(SandboxOrder order, Caller caller, StartPlan plan) {
        try (var draft = draft(order, caller, plan);
                var _ = calls.take(draft.sandbox().id())) {
            store(draft, caller);
            return start(draft, plan);
        }
    }

    Draft draft(SandboxOrder order, Caller caller, StartPlan plan) {
        return warm.claimFor(drafts.draft(order, caller), plan);
    }

    /** Joins a transaction under way. */
    void store(Draft draft, Caller caller) {
        changes.add(draft, caller.id());
    }

    /** A start that takes longer than the plan waits goes on; the sandbox is then safe on the disk. */
    StartedSandbox start(Draft draft, StartPlan plan) {
        var started = draft.stored()
                ? calls.admit(draft.sandbox(), draft::admitAgent, plan)
                : calls.start(draft.sandbox(), plan);
        if (started.sandbox().state() == SandboxState.STARTING) {
            store.makeDurable();
        }
        return started;
    }
}
