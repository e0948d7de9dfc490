package io.bivouac.sandboxes.lifecycle;

import io.bivouac.foundation.audit.Audit;
import io.bivouac.sandboxes.store.SandboxStore;
import io.bivouac.sandboxmodel.Sandbox;
import io.bivouac.sandboxmodel.SandboxId;
import io.bivouac.sandboxmodel.transition.Happening;
import io.bivouac.sandboxmodel.transition.Happening.AgentDisconnected;
import io.bivouac.sandboxmodel.transition.Happening.AgentLost;
import io.bivouac.sandboxmodel.transition.Happening.AgentRegistered;
import io.bivouac.sandboxmodel.transition.Happening.DeleteRequested;
import io.bivouac.sandboxmodel.transition.Happening.EgressChanged;
import io.bivouac.sandboxmodel.transition.Happening.ExpiryNear;
import io.bivouac.sandboxmodel.transition.Happening.ExtensionRequested;
import io.bivouac.sandboxmodel.transition.Happening.FilesGone;
import io.bivouac.sandboxmodel.transition.Happening.InstanceMissing;
import io.bivouac.sandboxmodel.transition.Happening.PauseFailed;
import io.bivouac.sandboxmodel.transition.Happening.PauseRequested;
import io.bivouac.sandboxmodel.transition.Happening.PermissionRequested;
import io.bivouac.sandboxmodel.transition.Happening.PermissionResolved;
import io.bivouac.sandboxmodel.transition.Happening.PortClosed;
import io.bivouac.sandboxmodel.transition.Happening.PortOpened;
import io.bivouac.sandboxmodel.transition.Happening.ResumeRequested;
import io.bivouac.sandboxmodel.transition.Happening.StartFailed;
import io.bivouac.sandboxmodel.transition.Happening.StartRequested;
import io.bivouac.sandboxmodel.transition.Happening.StopRequested;
import io.bivouac.sandboxmodel.transition.Happening.TeardownDone;
import io.bivouac.sandboxmodel.transition.Happening.TeardownFailed;
import io.bivouac.sandboxmodel.transition.Happening.TerminalEnded;
import io.bivouac.sandboxmodel.transition.Happening.TerminalStarted;
import io.bivouac.sandboxmodel.transition.Happening.TimeOver;
import io.bivouac.sandboxmodel.transition.Happening.Used;
import jakarta.inject.Singleton;
import java.util.Optional;

/**
 * Stores sandboxes' changes together with the audit's row that says who made them. The row comes last in its
 * transaction, since it holds the project's chain until the commit. A change that changes nothing has no row.
 * Thread-safe.
 */
@Singleton
class AuditedChanges {
    /** The actor of acts that nobody asked for. */
    static final String SYSTEM = "system";

    private final SandboxStore store;
    private final Audit audit;

    AuditedChanges(SandboxStore store, Audit audit) {
        this.store = store;
        this.audit = audit;
    }

    private record Act(String name, String detail) {}

    /** Stores a new sandbox, which is given what it takes from the pool before its row is seen by anybody. */
    void add(Draft draft, String actor) {
        store.add(draft.sandbox(), stored -> {
            draft.give();
            var definition = stored.definition();
            var from = definition.workspace() == null ? "" : ", workspace of " + definition.workspace();
            append(stored, actor, new Act("sandbox.created", "template " + definition.template() + from));
        });
    }

    Sandbox change(SandboxId id, Happening happening, String actor) {
        return store.on(id, happening, writing(happening, actor));
    }

    /** The same for who has just read the sandbox. */
    Sandbox change(Sandbox justRead, Happening happening, String actor) {
        return store.on(justRead, happening, writing(happening, actor));
    }

    private SandboxStore.Alongside writing(Happening happening, String actor) {
        return (before, after) -> act(happening, before).ifPresent(act -> append(after, actor, act));
    }

    private void append(Sandbox sandbox, String actor, Act act) {
        audit.append(sandbox.project(), actor, act.name(), sandbox.id().value(), act.detail());
    }

    private static Optional<Act> act(Happening happening, Sandbox before) {
        return switch (happening) {
            case StartRequested _ -> act("started", "");
            case StopRequested _ -> act("stopped", "");
            case PauseRequested _ -> act("paused", "");
            case ResumeRequested _ -> act("resumed", "");
            case PauseFailed failed -> act("resumed", "it could not be paused: " + failed.reason());
            case DeleteRequested request -> act("deleted", request.keepWorkspace() ? "workspace kept" : "");
            case ExtensionRequested request ->
                act("extended", "by " + request.by().toSeconds() + " s");
            case EgressChanged change -> act("egress", change.egress().toString());
            // Cleaning up after an expiry is tried again and again; the sandbox expires once.
            case TimeOver _ -> before.isOver() ? Optional.empty() : act("expired", "");
            case FilesGone _ -> act("files-gone", "the workspace that was kept after its end");
            case StartFailed failed -> act("failed", failed.reason());
            case InstanceMissing missing -> act("failed", missing.reason());
            case AgentRegistered _, AgentDisconnected _, AgentLost _, ExpiryNear _, TeardownDone _, TeardownFailed _ ->
                Optional.empty();
            case Used _, PortOpened _, PortClosed _ -> Optional.empty();
            case TerminalStarted _, TerminalEnded _, PermissionRequested _, PermissionResolved _ -> Optional.empty();
        };
    }

    private static Optional<Act> act(String name, String detail) {
        return Optional.of(new Act("sandbox." + name, detail));
    }
}
