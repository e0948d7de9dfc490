package io.bivouac.sandboxes.lifecycle;

import io.bivouac.foundation.access.Caller;
import io.bivouac.sandboxes.store.SandboxStore;
import io.bivouac.sandboxmodel.Sandbox;
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
    private final AuditedChanges changes;
    private final LifecycleCalls calls;
    private final SandboxStore store;

    CreateSandboxes(SandboxDrafts drafts, AuditedChanges changes, LifecycleCalls calls, SandboxStore store) {
        this.drafts = drafts;
        this.changes = changes;
        this.calls = calls;
        this.store = store;
    }

    /**
     * Makes a sandbox and starts it. Nothing is stored of an order that is refused; a sandbox whose start fails stays,
     * in the state that says so.
     */
    public StartedSandbox create(SandboxOrder order, Caller caller, StartPlan plan) {
        var draft = draft(order, caller);
        try (var _ = calls.take(draft.id())) {
            store(draft, caller);
            return start(draft, plan);
        }
    }

    Sandbox draft(SandboxOrder order, Caller caller) {
        return drafts.draft(order, caller);
    }

    /** Joins a transaction under way. */
    void store(Sandbox draft, Caller caller) {
        changes.add(draft, caller.id());
    }

    /** A start that takes longer than the plan waits goes on; the sandbox is then safe on the disk. */
    StartedSandbox start(Sandbox draft, StartPlan plan) {
        var started = calls.start(draft, plan);
        if (started.sandbox().state() == SandboxState.STARTING) {
            store.makeDurable();
        }
        return started;
    }
}
