package io.bivouac.sandboxio.command;

import com.google.protobuf.ByteString;
import io.bivouac.agent.v1.Exit;
import io.bivouac.agent.v1.Failure;
import io.bivouac.agent.v1.ProcessOpened;
import io.bivouac.agentlink.CommandStream;
import io.bivouac.sandboxio.command.CommandMetrics.Ending;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** One of a command's streams as its plain bytes. */
final class RawOutput extends StreamedOutput {
    private static final long HEADERS_AFTER_MILLIS = 50;

    private final String commandId;
    private volatile long offset;

    RawOutput(String commandId, long offset, CommandMetrics.Reading reading) {
        super(reading);
        this.commandId = commandId;
        this.offset = offset;
    }

    /** Where the first byte lies; later than asked for when what was before it is no longer there. */
    long offset() {
        return offset;
    }

    /** The bytes before an end, and no more than so many of them; then the output is left. */
    Mono<OutputPiece> upTo(long end, int most) {
        int wanted = (int) Math.clamp(end - offset, 0, most);
        if (wanted == 0) {
            leave();
            return Mono.just(new OutputPiece(offset, new byte[0]));
        }
        var bytes = Unpooled.buffer(wanted);
        return body().takeUntil(piece -> bytes.writeBytes(piece).readableBytes() >= wanted)
                .then(Mono.fromSupplier(() -> {
                    var all = ByteBufUtil.getBytes(bytes);
                    return new OutputPiece(offset, Arrays.copyOf(all, Math.min(all.length, wanted)));
                }));
    }

    @Override
    public void opened(CommandStream open, ProcessOpened answer) {
        super.opened(open, answer);
        // The first message tells whether there is a gap, and that belongs into the header.
        ask();
        if (answer.getPid() != 0) {
            quietlyBegin();
        }
    }

    /** A command that writes nothing for a while must not keep its client waiting for the headers. */
    private void quietlyBegin() {
        Schedulers.single().schedule(this::begin, HEADERS_AFTER_MILLIS, TimeUnit.MILLISECONDS);
    }

    @Override
    public void output(boolean stderr, long at, ByteString data) {
        reading.carried(data.size());
        var bytes = Bytes.of(data);
        arrived(Unpooled.wrappedBuffer(bytes.array(), bytes.offset(), bytes.length()));
        begin();
    }

    @Override
    public void gap(boolean stderr, long from, long to) {
        if (hasBegun()) {
            // Bytes can't say that some are missing: the body breaks off, and the client asks again.
            lost("The reader fell behind; output up to byte " + to + " is gone.");
            leave();
            return;
        }
        offset = to;
        begin();
        arrived(null);
    }

    @Override
    public void exited(Exit exit) {
        reading.end(Ending.EXITED);
        begin();
        end(null);
    }

    @Override
    public void failed(Failure.Kind kind, String message) {
        reading.end(Ending.REFUSED);
        var refusal = CommandFailures.refused(kind, message, commandId);
        if (!refuse(refusal)) {
            end(refusal);
        }
    }

    @Override
    public void lost(String why) {
        reading.end(Ending.LOST);
        var lost = CommandFailures.lost(why, commandId);
        if (!refuse(lost)) {
            end(lost);
        }
    }
}
