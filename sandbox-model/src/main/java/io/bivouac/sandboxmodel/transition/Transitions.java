package io.bivouac.sandboxmodel.transition;

import static io.bivouac.events.EventType.SANDBOX_CREATED;
import static io.bivouac.events.EventType.SANDBOX_DELETED;
import static io.bivouac.events.EventType.SANDBOX_ERROR;
import static io.bivouac.events.EventType.SANDBOX_EXPIRED;
import static io.bivouac.events.EventType.SANDBOX_EXPIRING;
import static io.bivouac.events.EventType.SANDBOX_RUNNING;
import static io.bivouac.events.EventType.SANDBOX_STARTING;
import static io.bivouac.events.EventType.SANDBOX_STOPPED;
import static io.bivouac.sandboxmodel.SandboxState.DELETED;
import static io.bivouac.sandboxmodel.SandboxState.RUNNING;
import static io.bivouac.sandboxmodel.SandboxState.STARTING;
import static io.bivouac.sandboxmodel.SandboxState.STOPPED;

import io.bivouac.events.AgentData;
import io.bivouac.events.EventType;
import io.bivouac.sandboxmodel.Sandbox;
import io.bivouac.sandboxmodel.Status;
import io.bivouac.sandboxmodel.StopReason;
import io.bivouac.sandboxmodel.Teardown;
import io.bivouac.sandboxmodel.error.ErrorCode;
import io.bivouac.sandboxmodel.transition.Decision.Changed;
import io.bivouac.sandboxmodel.transition.Decision.Refused;
import io.bivouac.sandboxmodel.transition.Decision.Saying;
import io.bivouac.sandboxmodel.transition.Decision.Unchanged;
import io.bivouac.sandboxmodel.transition.Happening.AgentLost;
import io.bivouac.sandboxmodel.transition.Happening.AgentRegistered;
import io.bivouac.sandboxmodel.transition.Happening.DeleteRequested;
import io.bivouac.sandboxmodel.transition.Happening.EgressChanged;
import io.bivouac.sandboxmodel.transition.Happening.ExpiryNear;
import io.bivouac.sandboxmodel.transition.Happening.ExtensionRequested;
import io.bivouac.sandboxmodel.transition.Happening.InstanceMissing;
import io.bivouac.sandboxmodel.transition.Happening.PermissionRequested;
import io.bivouac.sandboxmodel.transition.Happening.PermissionResolved;
import io.bivouac.sandboxmodel.transition.Happening.StartFailed;
import io.bivouac.sandboxmodel.transition.Happening.StartRequested;
import io.bivouac.sandboxmodel.transition.Happening.StopRequested;
import io.bivouac.sandboxmodel.transition.Happening.TeardownDone;
import io.bivouac.sandboxmodel.transition.Happening.TeardownFailed;
import io.bivouac.sandboxmodel.transition.Happening.TerminalEnded;
import io.bivouac.sandboxmodel.transition.Happening.TerminalStarted;
import io.bivouac.sandboxmodel.transition.Happening.TimeOver;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** The transition table: pure, total, and the only place that knows which state follows which. */
public final class Transitions {
    private final Sandbox sandbox;
    private final Instant now;

    private Transitions(Sandbox sandbox, Instant now) {
        this.sandbox = sandbox;
        this.now = now;
    }

    /** What is said when a sandbox is made. */
    public static Changed made(Sandbox sandbox) {
        return changed(sandbox, SANDBOX_CREATED, SANDBOX_STARTING);
    }

    public static Decision decide(Sandbox sandbox, Happening happening, Instant now) {
        return new Transitions(sandbox, now).on(happening);
    }

    private Decision on(Happening happening) {
        boolean isToldAnyway = happening instanceof TerminalEnded || happening instanceof PermissionResolved;
        if (sandbox.state() == DELETED && !isToldAnyway) {
            return new Refused(ErrorCode.SANDBOX_NOT_FOUND, "There is no sandbox " + sandbox.id() + ".");
        }
        return switch (happening) {
            case AgentRegistered registered -> agentRegistered(registered);
            case AgentLost lost -> agentLost(lost);
            case StartFailed failed -> startFailed(failed);
            case InstanceMissing missing -> instanceMissing(missing);
            case StopRequested _ -> stop();
            case StartRequested _ -> start();
            case DeleteRequested request -> delete(request);
            case ExtensionRequested request -> extend(request);
            case EgressChanged change -> egress(change);
            case ExpiryNear _ -> expiryNear();
            case TimeOver _ -> timeOver();
            case TeardownDone finished -> teardownDone(finished);
            case TeardownFailed failed -> teardownFailed(failed);
            case TerminalStarted started -> terminalStarted(started);
            case TerminalEnded ended ->
                new Changed(sandbox, List.of(new Saying(EventType.TERMINAL_ENDED, ended.terminal())));
            case PermissionRequested requested -> permissionRequested(requested);
            case PermissionResolved resolved ->
                new Changed(sandbox, List.of(new Saying(EventType.PERMISSION_RESOLVED, resolved.answer())));
        };
    }

    private Decision agentRegistered(AgentRegistered registered) {
        var connected = new Saying(
                EventType.AGENT_CONNECTED, new AgentData(sandbox.id().value(), registered.agentVersion(), null));
        return switch (sandbox.state()) {
            case STARTING, ERROR -> {
                var running = sandbox.with(Status.of(RUNNING, now));
                yield new Changed(running, List.of(connected, saying(SANDBOX_RUNNING, running)));
            }
            case RUNNING -> new Changed(sandbox, List.of(connected));
            // A sandbox on its way out no longer cares who connects.
            case STOPPING, STOPPED, DELETED -> refused("is " + sandbox.state().wireName());
        };
    }

    private Decision agentLost(AgentLost lost) {
        return switch (sandbox.state()) {
            case RUNNING -> {
                var failed = sandbox.with(Status.failed("agent lost: " + lost.reason(), now));
                var disconnected = new Saying(
                        EventType.AGENT_DISCONNECTED, new AgentData(sandbox.id().value(), null, lost.reason()));
                yield new Changed(failed, List.of(disconnected, saying(SANDBOX_ERROR, failed)));
            }
            // Starting has its own deadline; the others end their agent themselves.
            case STARTING, STOPPING, STOPPED, ERROR, DELETED -> new Unchanged();
        };
    }

    private Decision startFailed(StartFailed failed) {
        return sandbox.state() == STARTING ? failed(failed.reason()) : new Unchanged();
    }

    private Decision instanceMissing(InstanceMissing missing) {
        return switch (sandbox.state()) {
            case STARTING, RUNNING -> failed(missing.reason());
            case STOPPING, STOPPED, ERROR, DELETED -> new Unchanged();
        };
    }

    private Decision stop() {
        return switch (sandbox.state()) {
            case STARTING, RUNNING, ERROR -> stopping(Teardown.stop());
            case STOPPING, STOPPED -> new Unchanged();
            case DELETED -> refused("is deleted");
        };
    }

    private Decision start() {
        return switch (sandbox.state()) {
            case STOPPED -> {
                if (sandbox.status().stopReason() == StopReason.EXPIRED) {
                    yield new Refused(
                            ErrorCode.CONFLICT, "Sandbox " + sandbox.id() + " has expired and cannot be started.");
                }
                yield changed(sandbox.with(Status.of(STARTING, now)), SANDBOX_STARTING);
            }
            case STARTING, RUNNING -> new Unchanged();
            case STOPPING, ERROR, DELETED -> refused("is " + sandbox.state().wireName());
        };
    }

    private Decision delete(DeleteRequested request) {
        var teardown = Teardown.delete(request.keepWorkspace());
        // Even while it stops for another reason: what the caller was promised is stored at once.
        return teardown.equals(sandbox.status().teardown()) ? new Unchanged() : stopping(teardown);
    }

    private Decision extend(ExtensionRequested request) {
        return switch (sandbox.state()) {
            case STARTING, RUNNING -> new Changed(sandbox.extendedBy(request.by(), now), List.of());
            case STOPPING, STOPPED, ERROR, DELETED ->
                refused("is " + sandbox.state().wireName());
        };
    }

    private Decision egress(EgressChanged change) {
        return switch (sandbox.state()) {
            case STARTING, RUNNING, STOPPED, ERROR ->
                change.egress().equals(sandbox.definition().egress())
                        ? new Unchanged()
                        : new Changed(sandbox.reaching(change.egress(), now), List.of());
            case STOPPING, DELETED -> refused("is " + sandbox.state().wireName());
        };
    }

    private Decision expiryNear() {
        return switch (sandbox.state()) {
            case STARTING, RUNNING, STOPPED, ERROR -> {
                if (sandbox.lifetime().announced() || sandbox.isOver()) {
                    yield new Unchanged();
                }
                yield changed(sandbox.expiryAnnounced(now), SANDBOX_EXPIRING);
            }
            case STOPPING, DELETED -> new Unchanged();
        };
    }

    private Decision timeOver() {
        return switch (sandbox.state()) {
            case STARTING, RUNNING, STOPPED, ERROR -> {
                if (!sandbox.isOver()) {
                    yield changed(sandbox.with(Status.stopping(Teardown.expire(), now)), SANDBOX_EXPIRED);
                }
                // It was said before; a clean-up that failed is tried again without saying so.
                yield sandbox.state() == STOPPED ? new Unchanged() : stopping(Teardown.expire());
            }
            // A stop under way is finished first; the next sweep finds it stopped.
            case STOPPING, DELETED -> new Unchanged();
        };
    }

    private Decision teardownDone(TeardownDone finished) {
        if (!isOnItsWayTo(finished.done())) {
            return new Unchanged();
        }
        return switch (finished.done().purpose()) {
            case STOP -> changed(sandbox.with(Status.stopped(StopReason.USER, now)), SANDBOX_STOPPED);
            case EXPIRE -> changed(sandbox.with(Status.stopped(StopReason.EXPIRED, now)), SANDBOX_STOPPED);
            case DELETE -> changed(sandbox.with(Status.of(DELETED, now)), SANDBOX_DELETED);
        };
    }

    private Decision teardownFailed(TeardownFailed failed) {
        if (!isOnItsWayTo(failed.tried())) {
            return new Unchanged();
        }
        var stopReason = failed.tried().purpose() == Teardown.Purpose.EXPIRE ? StopReason.EXPIRED : null;
        return changed(sandbox.with(Status.failed(failed.reason(), stopReason, now)), SANDBOX_ERROR);
    }

    /** Somebody may have asked for more while the runtime was at it: then that is still to be done. */
    private boolean isOnItsWayTo(Teardown teardown) {
        return teardown.equals(sandbox.status().teardown());
    }

    private Decision terminalStarted(TerminalStarted started) {
        return switch (sandbox.state()) {
            case RUNNING -> new Changed(sandbox, List.of(new Saying(EventType.TERMINAL_STARTED, started.terminal())));
            case STARTING, STOPPING, STOPPED, ERROR, DELETED ->
                refused("is " + sandbox.state().wireName());
        };
    }

    private Decision permissionRequested(PermissionRequested requested) {
        return switch (sandbox.state()) {
            case RUNNING ->
                new Changed(sandbox, List.of(new Saying(EventType.PERMISSION_REQUESTED, requested.question())));
            case STARTING, STOPPING, STOPPED, ERROR, DELETED ->
                refused("is " + sandbox.state().wireName());
        };
    }

    private Decision stopping(Teardown teardown) {
        return new Changed(sandbox.with(Status.stopping(teardown, now)), List.of());
    }

    private Decision failed(String reason) {
        return changed(sandbox.with(Status.failed(reason, now)), SANDBOX_ERROR);
    }

    private Refused refused(String why) {
        return new Refused(ErrorCode.SANDBOX_NOT_RUNNING, "Sandbox " + sandbox.id() + " " + why + ".");
    }

    private static Changed changed(Sandbox next, EventType... types) {
        var sayings = new ArrayList<Saying>();
        for (var type : types) {
            sayings.add(saying(type, next));
        }
        return new Changed(next, sayings);
    }

    private static Saying saying(EventType type, Sandbox sandbox) {
        return new Saying(type, SandboxSayings.of(sandbox));
    }
}
