package io.bivouac.terminalrelay.terminal;

import io.bivouac.agent.v1.Attach;
import io.bivouac.agent.v1.Exit;
import io.bivouac.agent.v1.Failure;
import io.bivouac.agent.v1.ProcessDown;
import io.bivouac.agent.v1.ProcessOpened;
import io.bivouac.agent.v1.Resize;
import io.bivouac.agentlink.Agent;
import io.bivouac.agentlink.CommandStream;
import io.bivouac.sandboxmodel.SortableId;
import io.bivouac.sandboxmodel.error.BivouacException;
import io.bivouac.sandboxmodel.error.ErrorCode;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Attaches for as long as it takes to resize. */
public final class TerminalResize extends BriefAttachment {
    private static final long PATIENCE_SECONDS = 15;

    private final ProcessDown order;

    private TerminalResize(int columns, int rows) {
        order = ProcessDown.newBuilder()
                .setResize(Resize.newBuilder().setColumns(columns).setRows(rows))
                .build();
    }

    /** Waits until the agent has been told. */
    public static void of(Terminal terminal, int columns, int rows, Agent agent) {
        if (terminal.sealed()) {
            throw new BivouacException(ErrorCode.CONFLICT, "A sealed terminal is resized by its own clients.");
        }
        var resize = new TerminalResize(columns, rows);
        agent.attach(Attach.newBuilder().setCommandId(terminal.id()).setInputSource(SortableId.next("src_")), resize);
        try {
            resize.done().get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException refused) {
            throw (BivouacException) refused.getCause();
        } catch (TimeoutException silent) {
            throw new BivouacException(ErrorCode.UNAVAILABLE, "The sandbox's agent did not answer in time.");
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw new BivouacException(ErrorCode.UNAVAILABLE, "The relay is stopping.");
        }
    }

    @Override
    void arrived(CommandStream stream, ProcessOpened answer) {
        boolean sent = stream.trySend(order);
        stream.detach();
        if (sent) {
            done().complete(null);
        } else {
            lost("The agent takes no orders right now; try again.");
        }
    }

    @Override
    public void exited(Exit exit) {
        done().completeExceptionally(new BivouacException(ErrorCode.PTY_NOT_FOUND, "The terminal is over."));
    }

    @Override
    public void failed(Failure.Kind kind, String message) {
        done().completeExceptionally(new BivouacException(
                kind == Failure.Kind.NO_SUCH_COMMAND ? ErrorCode.PTY_NOT_FOUND : ErrorCode.PTY_ERROR, message));
    }
}
