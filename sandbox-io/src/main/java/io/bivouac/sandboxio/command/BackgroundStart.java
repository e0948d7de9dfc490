package io.bivouac.sandboxio.command;

import com.google.protobuf.ByteString;
import io.bivouac.agent.v1.Exit;
import io.bivouac.agent.v1.Failure;
import io.bivouac.agent.v1.ProcessOpened;
import io.bivouac.agentlink.CommandListener;
import io.bivouac.agentlink.CommandStream;
import io.bivouac.sandboxio.command.CommandMetrics.Ending;
import java.util.concurrent.CompletableFuture;

/** Waits until a background command runs, gives it its input, and leaves it alone. */
final class BackgroundStart implements CommandListener {
    private final String commandId;
    private final boolean hasInput;
    private final CommandMetrics.Reading reading;
    private final CompletableFuture<String> running = new CompletableFuture<>();
    private volatile CommandStream taker;

    BackgroundStart(String commandId, boolean hasInput, CommandMetrics.Reading reading) {
        this.commandId = commandId;
        this.hasInput = hasInput;
        this.reading = reading;
    }

    CompletableFuture<String> running() {
        return running;
    }

    @Override
    public void opened(CommandStream stream, ProcessOpened answer) {
        if (answer.getPid() == 0) {
            // It was refused; the next message says why.
            taker = stream;
            stream.request();
            return;
        }
        running.complete(commandId);
        if (hasInput) {
            // Leaving would take away the input that is still on its way. The sandbox keeps the output.
            taker = stream;
            stream.request();
        } else {
            reading.end(Ending.LEFT);
            stream.detach();
        }
    }

    @Override
    public void output(boolean stderr, long offset, ByteString data) {
        taker.request();
    }

    @Override
    public void gap(boolean stderr, long from, long to) {
        taker.request();
    }

    @Override
    public void exited(Exit exit) {
        reading.end(Ending.EXITED);
    }

    @Override
    public void failed(Failure.Kind kind, String message) {
        reading.end(Ending.REFUSED);
        running.completeExceptionally(CommandFailures.refused(kind, message, commandId));
    }

    @Override
    public void lost(String why) {
        reading.end(Ending.LOST);
        running.completeExceptionally(CommandFailures.lost(why, commandId));
    }
}
