package io.bivouac.sandboxes.lifecycle;

import io.bivouac.foundation.access.Caller;
import io.bivouac.sandboxmodel.Sandbox;
import io.bivouac.sandboxmodel.SandboxId;
import io.bivouac.sandboxmodel.SandboxState;
import io.bivouac.sandboxmodel.runtime.SandboxRuntime;
import io.bivouac.sandboxmodel.transition.Happening;
import io.bivouac.sandboxmodel.transition.Happening.DeleteRequested;
import io.bivouac.sandboxmodel.transition.Happening.StopRequested;
import io.micronaut.context.annotation.Requires;
import jakarta.inject.Singleton;

/** Stops and deletes sandboxes, and returns when that is done. Thread-safe. */
@Singleton
@Requires(beans = SandboxRuntime.class)
public class EndSandboxes {
    private final Sandboxes sandboxes;
    private final LifecycleCalls calls;
    private final WorkspaceLimit workspaces;

    EndSandboxes(Sandboxes sandboxes, LifecycleCalls calls, WorkspaceLimit workspaces) {
        this.sandboxes = sandboxes;
        this.calls = calls;
        this.workspaces = workspaces;
    }

    /** A stopped sandbox keeps its files and can be started again. */
    public Sandbox stop(SandboxId id, Caller caller) {
        return end(id, caller, new StopRequested(), SandboxState.STOPPED);
    }

    public void delete(SandboxId id, boolean keepWorkspace, Caller caller) {
        if (!keepWorkspace) {
            end(id, caller, new DeleteRequested(false), SandboxState.DELETED);
            return;
        }
        try (var _ = workspaces.take(sandboxes.get(id, caller).project())) {
            end(id, caller, new DeleteRequested(true), SandboxState.DELETED);
        }
    }

    private Sandbox end(SandboxId id, Caller caller, Happening request, SandboxState goal) {
        try (var _ = calls.take(id)) {
            sandboxes.change(id, caller, request);
            return calls.end(id, goal);
        }
    }
}
