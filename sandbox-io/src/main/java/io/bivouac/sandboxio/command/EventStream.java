package io.bivouac.sandboxio.command;

import com.google.protobuf.ByteString;
import io.bivouac.agent.v1.Exit;
import io.bivouac.agent.v1.Failure;
import io.bivouac.agent.v1.ProcessOpened;
import io.bivouac.agentlink.CommandStream;
import io.bivouac.sandboxio.command.CommandMetrics.Ending;
import io.bivouac.sandboxmodel.error.ErrorCode;
import io.netty.buffer.ByteBuf;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import reactor.core.publisher.FluxSink;
import reactor.core.scheduler.Schedulers;

/** A command's output as frames of its client's kind. */
final class EventStream extends StreamedOutput {
    private final String commandId;
    private final OutputFrames frames;
    private final Duration pingEvery;
    private volatile boolean quiet = true;

    EventStream(String commandId, OutputFrames frames, Duration pingEvery, CommandMetrics.Reading reading) {
        super(reading);
        this.commandId = commandId;
        this.frames = frames;
        this.pingEvery = pingEvery;
    }

    @Override
    public void opened(CommandStream open, ProcessOpened answer) {
        super.opened(open, answer);
        send(frames.start(answer.getPid()));
        // A refusal follows at once; when it does not, the command has begun.
        if (answer.getPid() != 0) {
            begin();
        } else {
            ask();
        }
    }

    @Override
    protected void sending(FluxSink<ByteBuf> subscriber) {
        long every = pingEvery.toMillis();
        var pings =
                Schedulers.single().schedulePeriodically(() -> ping(subscriber), every, every, TimeUnit.MILLISECONDS);
        subscriber.onDispose(pings);
    }

    private void ping(FluxSink<ByteBuf> subscriber) {
        if (quiet && subscriber.requestedFromDownstream() > 0) {
            send(frames.ping());
        }
        quiet = true;
    }

    @Override
    public void output(boolean stderr, long offset, ByteString data) {
        quiet = false;
        begin();
        reading.carried(data.size());
        arrived(frames.output(stderr, data));
    }

    @Override
    public void gap(boolean stderr, long from, long to) {
        begin();
        arrived(frames.gap(stderr, from, to));
    }

    @Override
    public void exited(Exit exit) {
        begin();
        flush();
        if (exit.getTimedOut()) {
            reading.end(Ending.TIMED_OUT);
            send(frames.error(ErrorCode.PROCESS_TIMEOUT, "The command took longer than its timeout and was ended."));
        } else {
            reading.end(Ending.EXITED);
            send(frames.exit(
                    exit.getCode(), exit.getTruncated(), TimeUnit.MICROSECONDS.toMillis(exit.getDurationMicros())));
        }
        end(null);
    }

    private void flush() {
        send(frames.rest(false));
        send(frames.rest(true));
    }

    @Override
    public void failed(Failure.Kind kind, String message) {
        reading.end(Ending.REFUSED);
        var refusal = CommandFailures.refused(kind, message, commandId);
        if (!refuse(refusal)) {
            send(frames.error(refusal));
            end(null);
        }
    }

    @Override
    public void lost(String why) {
        reading.end(Ending.LOST);
        var lost = CommandFailures.lost(why, commandId);
        if (!refuse(lost)) {
            flush();
            send(frames.error(lost));
            end(null);
        }
    }
}
