package io.bivouac.terminalrelay.terminal;

import io.bivouac.agent.v1.Exit;
import io.bivouac.agent.v1.Failure;
import io.bivouac.agent.v1.ProcessOpened;
import io.bivouac.agentlink.CommandStream;
import io.bivouac.sandboxio.command.CommandFailures;
import io.bivouac.sandboxmodel.error.BivouacException;
import io.bivouac.sandboxmodel.error.ErrorCode;
import io.bivouac.terminalrelay.sealed.HostKey;
import io.micronaut.core.annotation.Nullable;

/** Waits until the agent has started a terminal, and leaves it to those who will attach. */
final class TerminalStart extends BriefAttachment {
    private final String id;
    private final Door door;
    private final boolean sealed;
    private volatile @Nullable String hostKey;
    private volatile int pid;

    TerminalStart(String id, Door door, boolean sealed) {
        this.id = id;
        this.door = door;
        this.sealed = sealed;
    }

    @Override
    void arrived(CommandStream stream, ProcessOpened answer) {
        stream.detach();
        pid = answer.getPid();
        hostKey = HostKey.text(answer.getHostKey().toByteArray());
        if (sealed && hostKey == null) {
            // An agent from before sealed terminals would have started a clear one.
            done().completeExceptionally(new BivouacException(
                    ErrorCode.UNSUPPORTED_BY_RUNTIME, "This sandbox's agent cannot seal terminals; start it anew."));
        } else {
            done().complete(null);
        }
    }

    /** The agent's, when the terminal is sealed. */
    @Nullable String hostKey() {
        return hostKey;
    }

    /** Null when the program was over before the agent could say. */
    @Nullable Integer pid() {
        return pid == 0 ? null : pid;
    }

    @Override
    public void failed(Failure.Kind kind, String message) {
        done().completeExceptionally(
                        switch (kind) {
                            case CANNOT_START, KIND_UNSPECIFIED, UNRECOGNIZED ->
                                new BivouacException(
                                        door.notStarted(), "The terminal could not be started: " + message);
                            case NO_SUCH_COMMAND, TOO_MANY_COMMANDS, INVALID, UNSUPPORTED, NOT_TRUSTED ->
                                CommandFailures.refused(kind, message, id);
                        });
    }

    @Override
    public void exited(Exit exit) {
        done().complete(null);
    }
}
