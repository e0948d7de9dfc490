package io.bivouac.functions.sandbox;

import io.bivouac.foundation.access.Caller;
import io.bivouac.sandboxes.lifecycle.Sandboxes;
import io.bivouac.sandboxmodel.SandboxId;
import io.bivouac.sandboxmodel.SandboxState;
import io.bivouac.sandboxmodel.transition.Happening.DeleteRequested;
import jakarta.inject.Singleton;

/** Deletes one sandbox and returns when it is gone. */
@Singleton
class Deletion {
    private final Sandboxes sandboxes;
    private final Upbringing upbringing;
    private final WorkspaceLimit workspaces;

    Deletion(Sandboxes sandboxes, Upbringing upbringing, WorkspaceLimit workspaces) {
        this.sandboxes = sandboxes;
        this.upbringing = upbringing;
        this.workspaces = workspaces;
    }

    void delete(SandboxId id, boolean keepWorkspace, Caller caller) {
        if (!keepWorkspace) {
            takeDown(id, false, caller);
            return;
        }
        try (var _ = workspaces.take(sandboxes.get(id, caller).project())) {
            takeDown(id, true, caller);
        }
    }

    private void takeDown(SandboxId id, boolean keepWorkspace, Caller caller) {
        try (var _ = upbringing.take(id)) {
            sandboxes.change(id, caller, new DeleteRequested(keepWorkspace));
            upbringing.takeDown(id, SandboxState.DELETED);
        }
    }
}
