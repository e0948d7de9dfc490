package io.bivouac.terminalrelay.terminal;

import com.google.protobuf.ByteString;
import io.bivouac.agent.v1.Exit;
import io.bivouac.agent.v1.Failure;
import io.bivouac.agent.v1.ProcessOpened;
import io.bivouac.agent.v1.Screen;
import io.bivouac.sandboxes.error.BivouacException;
import io.bivouac.sandboxes.error.ErrorCode;
import io.bivouac.terminalrelay.agent.CommandStream;
import io.bivouac.terminalrelay.agent.TerminalListener;
import io.bivouac.terminalrelay.process.CommandFailures;
import java.util.concurrent.CompletableFuture;

/** Waits until the agent has started a terminal, and leaves it to those who will attach. */
final class TerminalStart implements TerminalListener {
    private final String id;
    private final CompletableFuture<Void> running = new CompletableFuture<>();

    TerminalStart(String id) {
        this.id = id;
    }

    CompletableFuture<Void> running() {
        return running;
    }

    @Override
    public void opened(CommandStream stream, ProcessOpened answer) {
        if (answer.getPid() == 0) {
            // It was refused; the next message says why.
            stream.request();
            return;
        }
        stream.detach();
        running.complete(null);
    }

    @Override
    public void failed(Failure.Kind kind, String message) {
        running.completeExceptionally(
                switch (kind) {
                    case CANNOT_START, KIND_UNSPECIFIED, UNRECOGNIZED ->
                        new BivouacException(ErrorCode.COMMAND_FAILED, "The terminal could not be started: " + message);
                    case NO_SUCH_COMMAND, TOO_MANY_COMMANDS, INVALID, UNSUPPORTED ->
                        CommandFailures.refused(kind, message, id);
                });
    }

    @Override
    public void lost(String why) {
        running.completeExceptionally(new BivouacException(ErrorCode.UNAVAILABLE, why));
    }

    @Override
    public void exited(Exit exit) {
        running.complete(null);
    }

    @Override
    public void output(boolean stderr, long offset, ByteString data) {}

    @Override
    public void gap(boolean stderr, long from, long to) {}

    @Override
    public void screen(Screen screen) {}

    @Override
    public void inputApplied(long sequence) {}

    @Override
    public void resized(int columns, int rows) {}

    @Override
    public void readyForInput() {}
}
