package io.bivouac.sandboxes.lifecycle;

import io.bivouac.foundation.access.Caller;
import io.bivouac.sandboxmodel.Sandbox;
import io.bivouac.sandboxmodel.SandboxId;
import io.bivouac.sandboxmodel.SandboxState;
import io.bivouac.sandboxmodel.error.BivouacException;
import io.bivouac.sandboxmodel.error.ErrorCode;
import io.bivouac.sandboxmodel.transition.Happening.PauseRequested;
import io.bivouac.sandboxmodel.transition.Happening.ResumeRequested;
import io.micronaut.core.annotation.Nullable;
import jakarta.inject.Singleton;

/**
 * Pauses sandboxes and has them go on. In a process of their host it is done when this returns; the keeper of any other
 * host does it when it hears of the change. Thread-safe.
 */
@Singleton
public class PauseSandboxes {
    private final Sandboxes sandboxes;
    private final AuditedChanges changes;
    private final @Nullable Caretaker caretaker;
    private final @Nullable PausedInstances paused;

    /** @param caretaker null in a process without a runtime, as the one with the instances is */
    PauseSandboxes(
            Sandboxes sandboxes,
            AuditedChanges changes,
            @Nullable Caretaker caretaker,
            @Nullable PausedInstances paused) {
        this.sandboxes = sandboxes;
        this.changes = changes;
        this.caretaker = caretaker;
        this.paused = paused;
    }

    /** Freezes the processes of a running sandbox where they are; a paused one stays as it is. */
    public Sandbox pause(SandboxId id, Caller caller) {
        if (paused != null) {
            paused.mustBePossible();
        }
        sandboxes.change(id, caller, new PauseRequested());
        attend(id);
        var after = sandboxes.get(id, caller);
        if (after.state() != SandboxState.PAUSED) {
            throw new BivouacException(
                    ErrorCode.CONFLICT,
                    "Sandbox " + id + " is " + after.shownState() + " again: it could not be paused, or somebody else"
                            + " has changed it meanwhile.");
        }
        return after;
    }

    /** Has a paused sandbox go on; a running one stays as it is. */
    public Sandbox resume(SandboxId id, Caller caller) {
        var after = sandboxes.change(id, caller, new ResumeRequested());
        attend(id);
        return after;
    }

    /**
     * The sandbox for somebody who is about to use it: a paused one goes on if its maker wanted that, and is refused
     * otherwise. The use itself has been allowed before.
     *
     * @param caller in whose name it goes on, as the audit's row says; null when it is nobody with a login
     */
    public Sandbox awake(Sandbox found, @Nullable Caller caller) {
        if (found.state() != SandboxState.PAUSED) {
            return found;
        }
        if (!found.definition().autoResume()) {
            throw new BivouacException(
                    ErrorCode.SANDBOX_PAUSED,
                    "Sandbox " + found.id() + " is paused; resume it first (POST /api/v1/sandboxes/" + found.id()
                            + "/resume), or make it with autoResume.");
        }
        var actor = caller == null ? AuditedChanges.SYSTEM : caller.id();
        var after = changes.change(found, new ResumeRequested(), actor);
        attend(found.id());
        return after;
    }

    private void attend(SandboxId id) {
        if (caretaker != null) {
            caretaker.attend(id);
        }
    }
}
