package io.bivouac.terminalrelay.terminal;

import com.google.protobuf.ByteString;
import io.bivouac.agent.v1.ProcessOpened;
import io.bivouac.agent.v1.Screen;
import io.bivouac.agentlink.CommandListener;
import io.bivouac.agentlink.CommandStream;
import io.bivouac.sandboxmodel.error.BivouacException;
import io.bivouac.sandboxmodel.error.ErrorCode;
import java.util.concurrent.CompletableFuture;

/** One who stays at a terminal only until the agent has answered, and looks at nothing. */
abstract class BriefAttachment implements CommandListener {
    private final CompletableFuture<Void> done = new CompletableFuture<>();

    /** Fails with the {@link BivouacException} that says why. */
    final CompletableFuture<Void> done() {
        return done;
    }

    /** The terminal is there. */
    abstract void arrived(CommandStream stream, ProcessOpened answer);

    @Override
    public final void opened(CommandStream stream, ProcessOpened answer) {
        if (answer.getPid() == 0) {
            // It was refused; the next message says why.
            stream.request();
        } else {
            arrived(stream, answer);
        }
    }

    @Override
    public boolean readsOn() {
        return false;
    }

    @Override
    public final void lost(String why) {
        done.completeExceptionally(new BivouacException(ErrorCode.UNAVAILABLE, why));
    }

    @Override
    public final void output(boolean stderr, long offset, ByteString data) {}

    @Override
    public final void gap(boolean stderr, long from, long to) {}

    @Override
    public final boolean screen(Screen screen) {
        return true;
    }

    @Override
    public final boolean inputApplied(long sequence) {
        return true;
    }

    @Override
    public final boolean resized(int columns, int rows) {
        return true;
    }
}
