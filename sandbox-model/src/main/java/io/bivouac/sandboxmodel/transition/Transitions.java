package io.bivouac.sandboxmodel.transition;

import static io.bivouac.events.EventType.SANDBOX_CREATED;
import static io.bivouac.events.EventType.SANDBOX_DELETED;
import static io.bivouac.events.EventType.SANDBOX_ERROR;
import static io.bivouac.events.EventType.SANDBOX_EXPIRED;
import static io.bivouac.events.EventType.SANDBOX_EXPIRING;
import static io.bivouac.events.EventType.SANDBOX_PAUSED;
import static io.bivouac.events.EventType.SANDBOX_RESUMED;
import static io.bivouac.events.EventType.SANDBOX_RUNNING;
import static io.bivouac.events.EventType.SANDBOX_STARTING;
import static io.bivouac.events.EventType.SANDBOX_STOPPED;
import static io.bivouac.sandboxmodel.SandboxState.DELETED;
import static io.bivouac.sandboxmodel.SandboxState.PAUSED;
import static io.bivouac.sandboxmodel.SandboxState.RUNNING;
import static io.bivouac.sandboxmodel.SandboxState.STARTING;
import static io.bivouac.sandboxmodel.SandboxState.STOPPED;

import io.bivouac.events.AgentData;
import io.bivouac.events.EventType;
import io.bivouac.events.PortData;
import io.bivouac.sandboxmodel.OnExpiry;
import io.bivouac.sandboxmodel.Sandbox;
import io.bivouac.sandboxmodel.SandboxState;
import io.bivouac.sandboxmodel.Status;
import io.bivouac.sandboxmodel.StopReason;
import io.bivouac.sandboxmodel.Teardown;
import io.bivouac.sandboxmodel.error.ErrorCode;
import io.bivouac.sandboxmodel.transition.Decision.Changed;
import io.bivouac.sandboxmodel.transition.Decision.Refused;
import io.bivouac.sandboxmodel.transition.Decision.Saying;
import io.bivouac.sandboxmodel.transition.Decision.Unchanged;
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
        if (sandbox.state() == DELETED && !isTakenAfterTheEnd(happening)) {
            return new Refused(ErrorCode.SANDBOX_NOT_FOUND, "There is no sandbox " + sandbox.id() + ".");
        }
        return switch (happening) {
            case AgentRegistered registered -> agentRegistered(registered);
            case AgentDisconnected left -> agentDisconnected(left);
            case AgentLost lost -> agentLost(lost);
            case StartFailed failed -> startFailed(failed);
            case InstanceMissing missing -> instanceMissing(missing);
            case StopRequested _ -> stop();
            case StartRequested _ -> start();
            case PauseRequested _ -> pause();
            case ResumeRequested _ -> resume();
            case PauseFailed _ -> sandbox.state() == PAUSED ? resume() : new Unchanged();
            case DeleteRequested request -> delete(request);
            case ExtensionRequested request -> extend(request);
            case Used used -> used(used);
            case EgressChanged change -> egress(change);
            case ExpiryNear _ -> expiryNear();
            case TimeOver over -> timeOver(over);
            case FilesGone _ -> filesGone();
            case TeardownDone finished -> teardownDone(finished);
            case TeardownFailed failed -> teardownFailed(failed);
            case TerminalStarted started -> terminalStarted(started);
            case TerminalEnded ended -> terminalEnded(ended);
            case PortOpened opened -> port(EventType.SANDBOX_PORT_OPENED, opened.port());
            case PortClosed closed -> port(EventType.SANDBOX_PORT_CLOSED, closed.port());
            case PermissionRequested requested -> permissionRequested(requested);
            case PermissionResolved resolved ->
                new Changed(sandbox, List.of(new Saying(EventType.PERMISSION_RESOLVED, resolved.answer())));
        };
    }

    private static boolean isTakenAfterTheEnd(Happening happening) {
        return happening instanceof TerminalEnded
                || happening instanceof PermissionResolved
                || happening instanceof AgentDisconnected;
    }

    private Decision agentRegistered(AgentRegistered registered) {
        var sayings = agentGone("its connection ended, and it came back");
        sayings.add(new Saying(
                EventType.AGENT_CONNECTED, new AgentData(sandbox.id().value(), registered.agentVersion(), null)));
        return switch (sandbox.state()) {
            case STARTING, ERROR -> {
                var running = sandbox.with(Status.of(RUNNING, now).withAgent(true));
                sayings.add(saying(SANDBOX_RUNNING, running));
                yield new Changed(running, sayings);
            }
            case RUNNING, PAUSED -> new Changed(withAgent(true), sayings);
            // A sandbox on its way out no longer cares who connects.
            case STOPPING, STOPPED, DELETED -> refused("is " + sandbox.state().wireName());
        };
    }

    private Decision agentDisconnected(AgentDisconnected left) {
        return switch (sandbox.state()) {
            case STARTING, RUNNING, PAUSED, STOPPED, ERROR ->
                sandbox.status().agentConnected()
                        ? new Changed(withAgent(false), agentGone(left.reason()))
                        : new Unchanged();
            // Said with the end, so that it never comes after it.
            case STOPPING, DELETED -> new Unchanged();
        };
    }

    private Decision agentLost(AgentLost lost) {
        return switch (sandbox.state()) {
            case RUNNING -> ending(Status.failed("agent lost: " + lost.reason(), now), SANDBOX_ERROR, lost.reason());
            // Starting has its own deadline, and a frozen agent is silent; the others end their agent themselves.
            case STARTING, PAUSED, STOPPING, STOPPED, ERROR, DELETED -> new Unchanged();
        };
    }

    private Decision startFailed(StartFailed failed) {
        return sandbox.state() == STARTING
                ? ending(Status.failed(failed.reason(), now), SANDBOX_ERROR, failed.reason())
                : new Unchanged();
    }

    private Decision instanceMissing(InstanceMissing missing) {
        return switch (sandbox.state()) {
            case STARTING, RUNNING, PAUSED ->
                ending(Status.failed(missing.reason(), now), SANDBOX_ERROR, missing.reason());
            case STOPPING, STOPPED, ERROR, DELETED -> new Unchanged();
        };
    }

    private Decision stop() {
        return switch (sandbox.state()) {
            case STARTING, RUNNING, PAUSED, ERROR -> stopping(Teardown.stop());
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
                yield changed(sandbox.startedAgain(now), SANDBOX_STARTING);
            }
            case STARTING, RUNNING -> new Unchanged();
            case PAUSED -> paused();
            case STOPPING, ERROR, DELETED -> refused("is " + sandbox.state().wireName());
        };
    }

    private Decision pause() {
        return switch (sandbox.state()) {
            case RUNNING -> changed(frozen(PAUSED), SANDBOX_PAUSED);
            case PAUSED -> new Unchanged();
            case STARTING, STOPPING, STOPPED, ERROR, DELETED ->
                refused("is " + sandbox.state().wireName());
        };
    }

    private Decision resume() {
        return switch (sandbox.state()) {
            case PAUSED -> changed(frozen(RUNNING), SANDBOX_RESUMED);
            case RUNNING -> new Unchanged();
            case STARTING, STOPPING, STOPPED, ERROR, DELETED ->
                refused("is " + sandbox.state().wireName());
        };
    }

    /** Its agent's connection is what it was: nobody notices a short pause. */
    private Sandbox frozen(SandboxState next) {
        return sandbox.with(Status.of(next, now).withAgent(sandbox.status().agentConnected()));
    }

    private Decision delete(DeleteRequested request) {
        var teardown = Teardown.delete(request.keepWorkspace());
        // Even while it stops for another reason: what the caller was promised is stored at once.
        return teardown.equals(sandbox.status().teardown()) ? new Unchanged() : stopping(teardown);
    }

    private Decision extend(ExtensionRequested request) {
        return switch (sandbox.state()) {
            case STARTING, RUNNING, PAUSED -> new Changed(sandbox.extendedBy(request.by(), now), List.of());
            case STOPPING, STOPPED, ERROR, DELETED ->
                refused("is " + sandbox.state().wireName());
        };
    }

    private Decision used(Used used) {
        return switch (sandbox.state()) {
            case RUNNING -> {
                var after = sandbox.usedAt(used.then(), now);
                yield after == sandbox ? new Unchanged() : new Changed(after, List.of());
            }
            // Whatever was done in it, it is no longer in use.
            case STARTING, PAUSED, STOPPING, STOPPED, ERROR, DELETED -> new Unchanged();
        };
    }

    private Decision egress(EgressChanged change) {
        return switch (sandbox.state()) {
            case STARTING, RUNNING, PAUSED, STOPPED, ERROR ->
                change.egress().equals(sandbox.definition().egress())
                        ? new Unchanged()
                        : new Changed(sandbox.reaching(change.egress(), now), List.of());
            case STOPPING, DELETED -> refused("is " + sandbox.state().wireName());
        };
    }

    private Decision expiryNear() {
        return switch (sandbox.state()) {
            case STARTING, RUNNING, PAUSED, STOPPED, ERROR -> {
                if (sandbox.lifetime().announced() || sandbox.isOver()) {
                    yield new Unchanged();
                }
                if (sandbox.state() == STOPPED && endsBy(OnExpiry.STOP)) {
                    yield new Changed(sandbox.expiryAnnounced(now), List.of());
                }
                yield changed(sandbox.expiryAnnounced(now), SANDBOX_EXPIRING);
            }
            case STOPPING, DELETED -> new Unchanged();
        };
    }

    private Decision timeOver(TimeOver over) {
        return switch (sandbox.state()) {
            case STARTING, RUNNING, PAUSED, STOPPED, ERROR -> endsBy(OnExpiry.STOP) ? stopAtExpiry() : expire(over);
            // A stop under way is finished first; the next sweep finds it stopped.
            case STOPPING, DELETED -> new Unchanged();
        };
    }

    private Decision stopAtExpiry() {
        if (sandbox.state() == STOPPED) {
            return sandbox.status().stopReason() == StopReason.TIME_OVER
                    ? new Unchanged()
                    : new Changed(sandbox.with(Status.stopped(StopReason.TIME_OVER, now)), List.of());
        }
        return sandbox.status().stopReason() == StopReason.TIME_OVER
                ? stopping(Teardown.stopAtExpiry())
                : changed(onTheWayTo(Teardown.stopAtExpiry()), SANDBOX_EXPIRED);
    }

    private Decision expire(TimeOver over) {
        if (!sandbox.isOver()) {
            boolean keeps = endsBy(OnExpiry.KEEP);
            var until = keeps ? now.plus(over.keepFor()) : null;
            return changed(onTheWayTo(Teardown.expire(keeps)).withFilesUntil(until, now), SANDBOX_EXPIRED);
        }
        // It was said before; a clean-up that failed is tried again without saying so.
        boolean keeps = sandbox.lifetime().filesUntil() != null;
        return sandbox.state() == STOPPED ? new Unchanged() : stopping(Teardown.expire(keeps));
    }

    private boolean endsBy(OnExpiry choice) {
        return sandbox.lifetime().onExpiry() == choice;
    }

    private Decision filesGone() {
        return sandbox.lifetime().filesUntil() == null || !sandbox.isOver()
                ? new Unchanged()
                : new Changed(sandbox.withFilesUntil(null, now), List.of());
    }

    private Decision teardownDone(TeardownDone finished) {
        if (!isOnItsWayTo(finished.done())) {
            return new Unchanged();
        }
        return switch (finished.done().purpose()) {
            case STOP -> ending(Status.stopped(StopReason.USER, now), SANDBOX_STOPPED, "the sandbox was stopped");
            case STOP_AT_EXPIRY ->
                ending(Status.stopped(StopReason.TIME_OVER, now), SANDBOX_STOPPED, "its time is over");
            case EXPIRE -> ending(Status.stopped(StopReason.EXPIRED, now), SANDBOX_STOPPED, "the sandbox has expired");
            case DELETE -> ending(Status.of(DELETED, now), SANDBOX_DELETED, "the sandbox was deleted");
        };
    }

    private Decision teardownFailed(TeardownFailed failed) {
        if (!isOnItsWayTo(failed.tried())) {
            return new Unchanged();
        }
        var stopReason = switch (failed.tried().purpose()) {
            case EXPIRE -> StopReason.EXPIRED;
            case STOP_AT_EXPIRY -> StopReason.TIME_OVER;
            case STOP, DELETE -> null;
        };
        // Its agent may live on; whoever sees it go says so.
        var status = Status.failed(failed.reason(), stopReason, now)
                .withAgent(sandbox.status().agentConnected());
        return changed(sandbox.with(status), SANDBOX_ERROR);
    }

    /** Somebody may have asked for more while the runtime was at it: then that is still to be done. */
    private boolean isOnItsWayTo(Teardown teardown) {
        return teardown.equals(sandbox.status().teardown());
    }

    private Decision terminalStarted(TerminalStarted started) {
        return switch (sandbox.state()) {
            case RUNNING -> new Changed(sandbox, List.of(new Saying(EventType.TERMINAL_STARTED, started.terminal())));
            case PAUSED -> paused();
            case STARTING, STOPPING, STOPPED, ERROR, DELETED ->
                refused("is " + sandbox.state().wireName());
        };
    }

    /** Ended before its sandbox is deleted; should that be missed, nothing is said after the end. */
    private Decision terminalEnded(TerminalEnded ended) {
        return sandbox.state() == DELETED
                ? new Unchanged()
                : new Changed(sandbox, List.of(new Saying(EventType.TERMINAL_ENDED, ended.terminal())));
    }

    /** The ports of a sandbox that no longer runs have ended with it; nothing is said of each. */
    private Decision port(EventType type, PortData port) {
        return sandbox.state() == RUNNING ? new Changed(sandbox, List.of(new Saying(type, port))) : new Unchanged();
    }

    private Decision permissionRequested(PermissionRequested requested) {
        return switch (sandbox.state()) {
            case RUNNING ->
                new Changed(sandbox, List.of(new Saying(EventType.PERMISSION_REQUESTED, requested.question())));
            case PAUSED -> paused();
            case STARTING, STOPPING, STOPPED, ERROR, DELETED ->
                refused("is " + sandbox.state().wireName());
        };
    }

    private Decision stopping(Teardown teardown) {
        return new Changed(onTheWayTo(teardown), List.of());
    }

    private Sandbox onTheWayTo(Teardown teardown) {
        return sandbox.with(
                Status.stopping(teardown, now).withAgent(sandbox.status().agentConnected()));
    }

    /** A state without an agent: one that was connected is said to be gone first. */
    private Changed ending(Status next, EventType type, String why) {
        var ended = sandbox.with(next);
        var sayings = agentGone(why);
        sayings.add(saying(type, ended));
        return new Changed(ended, sayings);
    }

    /** So that {@code agent.connected} and {@code agent.disconnected} always take turns. */
    private List<Saying> agentGone(String why) {
        var sayings = new ArrayList<Saying>();
        if (sandbox.status().agentConnected()) {
            sayings.add(new Saying(
                    EventType.AGENT_DISCONNECTED, new AgentData(sandbox.id().value(), null, why)));
        }
        return sayings;
    }

    private Sandbox withAgent(boolean connected) {
        return sandbox.changedAt(now, sandbox.status().withAgent(connected));
    }

    private Refused paused() {
        return new Refused(
                ErrorCode.SANDBOX_PAUSED, "Sandbox " + sandbox.id() + " is paused; it has to be resumed first.");
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
