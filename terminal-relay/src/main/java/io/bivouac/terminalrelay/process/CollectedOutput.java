package io.bivouac.terminalrelay.process;

import com.google.protobuf.ByteString;
import io.bivouac.agent.v1.Exit;
import io.bivouac.agent.v1.Failure;
import io.bivouac.terminalrelay.agent.CommandListener;
import io.bivouac.terminalrelay.agent.CommandStream;
import io.bivouac.terminalrelay.process.CommandMetrics.Ending;
import java.io.ByteArrayOutputStream;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** Collects a command's output into one result, within the bound that the command was started with. */
final class CollectedOutput implements CommandListener {
    private final String commandId;
    private final long bound;
    private final CommandMetrics.Reading reading;
    private final ByteArrayOutputStream stdout = new ByteArrayOutputStream(0);
    private final ByteArrayOutputStream stderr = new ByteArrayOutputStream(0);
    private final CompletableFuture<CommandResult> result = new CompletableFuture<>();
    private volatile CommandStream stream;
    private boolean cut;

    CollectedOutput(CommandOrder order, CommandMetrics.Reading reading) {
        this.commandId = order.commandId();
        this.bound = order.run().getMaxOutputBytes();
        this.reading = reading;
    }

    CompletableFuture<CommandResult> result() {
        return result;
    }

    @Override
    public void opened(CommandStream open, int pid) {
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
        var bytes = Bytes.of(kept);
        collected.write(bytes.array(), bytes.offset(), bytes.length());
        reading.carried(kept.size());
        stream.request();
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
                stdout.toByteArray(),
                stderr.toByteArray(),
                exit.getTruncated() || cut,
                exit.getTimedOut(),
                TimeUnit.MICROSECONDS.toMillis(exit.getDurationMicros())));
    }

    @Override
    public void failed(Failure.Kind kind, String message) {
        reading.end(Ending.REFUSED);
        result.completeExceptionally(CommandFailures.refused(kind, message, commandId));
    }

    @Override
    public void lost(String why) {
        reading.end(Ending.LOST);
        result.completeExceptionally(CommandFailures.lost(why, commandId));
    }

    /** Nobody waits for the result any more. */
    void leave(CommandStream open) {
        reading.end(Ending.LEFT);
        open.detach();
    }
}
