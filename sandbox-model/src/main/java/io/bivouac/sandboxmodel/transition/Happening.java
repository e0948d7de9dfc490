package io.bivouac.sandboxmodel.transition;

import io.bivouac.events.PermissionData;
import io.bivouac.events.PortData;
import io.bivouac.events.TerminalData;
import io.bivouac.sandboxmodel.Teardown;
import io.bivouac.sandboxmodel.egress.EgressPolicy;
import java.time.Duration;
import java.time.Instant;

/** Everything that can happen to a sandbox after it was made. */
public sealed interface Happening {
    /** Its agent proved itself to a relay, for the first time or again. */
    record AgentRegistered(String agentVersion) implements Happening {}

    /** The connection of its agent ended; the agent may come back. */
    record AgentDisconnected(String reason) implements Happening {}

    /** Its agent is gone and did not come back in time. */
    record AgentLost(String reason) implements Happening {}

    /** The runtime could not make or start it, or its agent never came. */
    record StartFailed(String reason) implements Happening {}

    /** The runtime no longer has an instance that should be there. */
    record InstanceMissing(String reason) implements Happening {}

    record StopRequested() implements Happening {}

    record StartRequested() implements Happening {}

    record PauseRequested() implements Happening {}

    record ResumeRequested() implements Happening {}

    /** The runtime could not freeze it. */
    record PauseFailed(String reason) implements Happening {}

    record DeleteRequested(boolean keepWorkspace) implements Happening {}

    record ExtensionRequested(Duration by) implements Happening {}

    /** Traffic, a command or a terminal used it at this time. */
    record Used(Instant then) implements Happening {}

    /** It may reach these hosts from now on, and no others. */
    record EgressChanged(EgressPolicy egress) implements Happening {}

    /** The end is near. */
    record ExpiryNear() implements Happening {}

    /**
     * Its time is over.
     *
     * @param keepFor how long its workspace is kept, if its maker has not decided otherwise
     */
    record TimeOver(Duration keepFor) implements Happening {}

    /** The workspace that was kept after its end is gone. */
    record FilesGone() implements Happening {}

    /** The runtime has done what this teardown asked for. */
    record TeardownDone(Teardown done) implements Happening {}

    /** Somebody opened a terminal into it. */
    record TerminalStarted(TerminalData terminal) implements Happening {}

    /** One of its terminals is over. */
    record TerminalEnded(TerminalData terminal) implements Happening {}

    /** A program in it began to listen on a port. */
    record PortOpened(PortData port) implements Happening {}

    /** Nobody in it listens on a port any more. */
    record PortClosed(PortData port) implements Happening {}

    /** A program in it asks whether it may do something. */
    record PermissionRequested(PermissionData question) implements Happening {}

    /** Such a question has its answer; told even when the sandbox is gone already. */
    record PermissionResolved(PermissionData answer) implements Happening {}

    /** The runtime could not do what this teardown asked for. */
    record TeardownFailed(Teardown tried, String reason) implements Happening {}
}
