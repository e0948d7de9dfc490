package io.bivouac.functions.sandbox;

import io.bivouac.sandboxes.SandboxId;
import io.bivouac.sandboxes.SandboxState;
import io.bivouac.sandboxes.Sandboxes;
import io.bivouac.sandboxes.access.Caller;
import io.bivouac.sandboxes.error.BivouacException;
import io.bivouac.sandboxes.error.ErrorCode;
import io.bivouac.sandboxes.transition.Happening.DeleteRequested;
import jakarta.inject.Singleton;

/** Deletes one sandbox and returns when it is gone. */
@Singleton
class Deletion {
    private final Sandboxes sandboxes;
    private final Upbringing upbringing;

    Deletion(Sandboxes sandboxes, Upbringing upbringing) {
        this.sandboxes = sandboxes;
        this.upbringing = upbringing;
    }

    void delete(SandboxId id, boolean keepWorkspace, Caller caller) {
        try (var _ = upbringing.take(id)) {
            sandboxes.change(id, caller, new DeleteRequested(keepWorkspace));
            var after = upbringing.takeDown(id);
            if (after.state() != SandboxState.DELETED) {
                throw new BivouacException(
                        ErrorCode.INTERNAL_ERROR,
                        "Sandbox " + id + " could not be removed ("
                                + after.status().reason() + "); it will be tried again when you delete it again.");
            }
        }
    }
}
