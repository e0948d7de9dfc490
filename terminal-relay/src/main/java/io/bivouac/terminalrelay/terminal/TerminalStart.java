package io.bivouac.terminalrelay.terminal;

import io.bivouac.agent.v1.Exit;
import io.bivouac.agent.v1.Failure;
import io.bivouac.sandboxes.error.BivouacException;
import io.bivouac.sandboxes.error.ErrorCode;
import io.bivouac.terminalrelay.agent.CommandStream;
import io.bivouac.terminalrelay.process.CommandFailures;

/** Waits until the agent has started a terminal, and leaves it to those who will attach. */
final class TerminalStart extends BriefAttachment {
    private final String id;

    TerminalStart(String id) {
        this.id = id;
    }

    @Override
    void arrived(CommandStream stream) {
        stream.detach();
        done().complete(null);
    }

    @Override
    public void failed(Failure.Kind kind, String message) {
        done().completeExceptionally(
                        switch (kind) {
                            case CANNOT_START, KIND_UNSPECIFIED, UNRECOGNIZED ->
                                new BivouacException(
                                        ErrorCode.COMMAND_FAILED, "The terminal could not be started: " + message);
                            case NO_SUCH_COMMAND, TOO_MANY_COMMANDS, INVALID, UNSUPPORTED ->
                                CommandFailures.refused(kind, message, id);
                        });
    }

    @Override
    public void exited(Exit exit) {
        done().complete(null);
    }
}
