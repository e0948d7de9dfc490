package io.bivouac.sandboxes.lifecycle;

import io.bivouac.foundation.access.Caller;
import io.bivouac.foundation.access.Role;
import io.bivouac.foundation.outbox.EventFlow;
import io.bivouac.foundation.paging.Page;
import io.bivouac.sandboxes.egress.EgressPresets;
import io.bivouac.sandboxes.store.SandboxFilter;
import io.bivouac.sandboxes.store.SandboxStore;
import io.bivouac.sandboxmodel.Sandbox;
import io.bivouac.sandboxmodel.SandboxId;
import io.bivouac.sandboxmodel.SandboxState;
import io.bivouac.sandboxmodel.egress.EgressPolicy;
import io.bivouac.sandboxmodel.error.BivouacException;
import io.bivouac.sandboxmodel.error.ErrorCode;
import io.bivouac.sandboxmodel.transition.Happening;
import io.bivouac.sandboxmodel.transition.Happening.DeleteRequested;
import io.bivouac.sandboxmodel.transition.Happening.EgressChanged;
import io.bivouac.sandboxmodel.transition.Happening.ExtensionRequested;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.time.Instant;

/** The sandboxes as a caller may see and change them: only the own project's. Thread-safe. */
@Singleton
public class Sandboxes {
    static final Duration LONGEST_EXTENSION = Duration.ofHours(1);

    private final SandboxStore store;
    private final AuditedChanges changes;
    private final EventFlow flow;
    private final EgressPresets presets;

    Sandboxes(SandboxStore store, AuditedChanges changes, EventFlow flow, EgressPresets presets) {
        this.store = store;
        this.changes = changes;
        this.flow = flow;
        this.presets = presets;
    }

    public Sandbox get(SandboxId id, Caller caller) {
        var sandbox = store.find(id)
                .filter(found -> found.state() != SandboxState.DELETED)
                .orElseThrow(() -> SandboxId.noSuchSandbox(id.value()));
        caller.mustOwn(sandbox.project(), "Sandbox " + id);
        return sandbox;
    }

    /** Makes a change in the caller's name. */
    Sandbox change(SandboxId id, Caller caller, Happening happening) {
        caller.mustBe(Role.DEVELOPER);
        var sandbox = get(id, caller);
        flow.mustFlow();
        return changes.change(sandbox, happening, caller.id());
    }

    /** Gives a sandbox more time. */
    public Sandbox extend(SandboxId id, Caller caller, Duration by) {
        if (by.compareTo(Duration.ofSeconds(1)) < 0 || by.compareTo(LONGEST_EXTENSION) > 0) {
            throw new BivouacException(
                    ErrorCode.INVALID_REQUEST, "seconds must be between 1 and " + LONGEST_EXTENSION.toSeconds() + ".");
        }
        return change(id, caller, new ExtensionRequested(by));
    }

    /** Has a sandbox end so long from now, be that sooner or later than before. */
    public Sandbox endAfter(SandboxId id, Caller caller, Duration timeout) {
        var by = Duration.between(
                get(id, caller).lifetime().expiresAt(), Instant.now().plus(timeout));
        return change(id, caller, new ExtensionRequested(by));
    }

    /** Replaces the hosts that the sandbox may reach. */
    public Sandbox changeEgress(SandboxId id, Caller caller, EgressPolicy egress) {
        return change(id, caller, new EgressChanged(presets.checked(egress)));
    }

    /** Adds hosts to those that the sandbox may reach. Joins a transaction under way. */
    public Sandbox allowHosts(SandboxId id, Caller caller, EgressPolicy more) {
        try {
            return changeEgress(
                    id, caller, get(id, caller).definition().egress().and(more));
        } catch (IllegalArgumentException tooMany) {
            throw BivouacException.invalidRequest("Sandbox " + id + ": " + tooMany.getMessage() + ".");
        }
    }

    /**
     * Has a sandbox deleted that was made for something which is over, without waiting: its host's keeper does it. Works
     * while events do not flow, and joins a transaction under way.
     *
     * @param actor in whose name, as the audit's row says
     */
    public void discard(SandboxId id, String actor) {
        changes.change(id, new DeleteRequested(false), actor);
    }

    public Page<Sandbox> list(Caller caller, SandboxFilter filter) {
        return store.list(caller.project(), filter);
    }
}
