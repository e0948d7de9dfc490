package io.bivouac.sandboxio.command;

import com.google.protobuf.ByteString;
import io.bivouac.agent.v1.Exit;
import io.bivouac.agent.v1.Failure;
import io.bivouac.agent.v1.ProcessOpened;
import io.bivouac.agentlink.CommandListener;
import io.bivouac.agentlink.CommandStream;
import io.bivouac.foundation.memory.Holding;
import io.bivouac.foundation.memory.MemoryBudget;
import io.bivouac.foundation.memory.Purpose;
import io.bivouac.sandboxio.command.CommandMetrics.Ending;
import io.micronaut.core.annotation.Nullable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** Collects a command's output into one result, within the bound that the command was started with. */
final class CollectedOutput implements CommandListener {
    private final String commandId;
    private final long bound;
    private final CommandMetrics.Reading reading;
    private final Supplier<Holding> room;
    private final CollectedBytes stdout = new CollectedBytes();
    private final CollectedBytes stderr = new CollectedBytes();
    private final CompletableFuture<CommandResult> result = new CompletableFuture<>();
    private volatile CommandStream stream;
    private volatile @Nullable Holding held;
    private boolean cut;

    CollectedOutput(CommandOrder order, CommandMetrics.Reading reading, MemoryBudget budget, String project) {
        this.commandId = order.commandId();
        this.bound = order.maxOutputBytes();
        this.reading = reading;
        // The stream that is collected is what has the bytes, here and on their way out.
        this.room = () -> budget.holding(Purpose.COMMAND_OUTPUT, project, stdout);
    }

    CompletableFuture<CommandResult> result() {
        return result;
    }

    @Override
    public void opened(CommandStream open, ProcessOpened answer) {
        stream = open;
        open.request();
    }

    @Override
    public void output(boolean toStderr, long offset, ByteString data) {
        // The agent keeps the bound; that it does is checked, not believed.
        var collected = toStderr ? stderr : stdout;
        long room = bound - collected.size();
        var kept = data.size() > room ? data.substring(0, (int) room) : data;
        cut |= kept.size() < data.size();
        if (result.isDone()) {
            return;
        }
        if (!hasRoomFor(kept.size())) {
            tooMuch();
            return;
        }
        collected.add(kept);
        reading.carried(kept.size());
        stream.request();
    }

    private boolean hasRoomFor(int more) {
        if (held == null) {
            held = room.get();
        }
        return held.take(more);
    }

    private void tooMuch() {
        held.noteRefusal();
        giveBack();
        reading.end(Ending.REFUSED);
        result.completeExceptionally(CommandFailures.tooMuchCollected(commandId));
        stream.detach();
    }

    private void giveBack() {
        var taken = held;
        if (taken != null) {
            taken.close();
        }
    }

    @Override
    public void gap(boolean ofStderr, long from, long to) {
        cut = true;
        stream.request();
    }

    @Override
    public void exited(Exit exit) {
        reading.end(exit.getTimedOut() ? Ending.TIMED_OUT : Ending.EXITED);
        result.complete(new CommandResult(
                commandId,
                exit.getCode(),
                stdout,
                stderr,
                exit.getTruncated() || cut,
                exit.getTimedOut(),
                TimeUnit.MICROSECONDS.toMillis(exit.getDurationMicros()),
                this::giveBack));
    }

    @Override
    public void failed(Failure.Kind kind, String message) {
        giveBack();
        reading.end(Ending.REFUSED);
        result.completeExceptionally(CommandFailures.refused(kind, message, commandId));
    }

    @Override
    public void lost(String why) {
        giveBack();
        reading.end(Ending.LOST);
        result.completeExceptionally(CommandFailures.lost(why, commandId));
    }

    /** Nobody waits for the result any more. */
    void leave(CommandStream open) {
        giveBack();
        reading.end(Ending.LEFT);
        open.detach();
    }
}
