package io.bivouac.sandboxio.code;

import com.google.protobuf.ByteString;
import io.bivouac.agent.v1.CodeDone;
import io.bivouac.agent.v1.CodeFailure;
import io.bivouac.agent.v1.CodeOrder;
import io.bivouac.agentlink.Agent;
import io.bivouac.agentlink.CodeListener;
import io.bivouac.agentlink.CodeStream;
import io.bivouac.sandboxio.code.CodeMetrics.Ending;
import io.bivouac.sandboxmodel.error.BivouacException;
import io.micronaut.core.annotation.Nullable;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import reactor.core.publisher.Flux;
import reactor.core.publisher.FluxSink;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/**
 * A run of code on its way to one reader, asked of the agent as the reader takes it. It ends once, and its last event is an
 * exit. A reader that leaves has the code interrupted. Thread-safe.
 */
final class CodeRunning implements CodeListener {
    /** A run that waits for its interpreter, or its turn, is answered after this; until then a failure is an ordinary error. */
    private static final Duration ANSWERED_AFTER = Duration.ofSeconds(2);

    private final String executionId;
    private final CodeMetrics.Reading reading;
    private final ResultPieces pieces;
    private final Duration pingEvery;
    private final long began = System.nanoTime();
    private final CompletableFuture<Flux<CodeEvent>> begun = new CompletableFuture<>();
    private final Queue<CodeEvent> early = new ArrayDeque<>();
    private @Nullable CodeStream stream;
    private @Nullable FluxSink<CodeEvent> sink;
    private boolean asked;
    private boolean over;
    private volatile boolean quiet = true;

    CodeRunning(String executionId, CodeMetrics.Reading reading, ResultPieces pieces, Duration pingEvery) {
        this.executionId = executionId;
        this.reading = reading;
        this.pieces = pieces;
        this.pingEvery = pingEvery;
    }

    /** Comes when there is something to tell. */
    Mono<Flux<CodeEvent>> begin(Agent agent, CodeOrder.Builder order) {
        synchronized (this) {
            asked = true;
            stream = agent.code(order, this);
        }
        stream.request();
        var patience = Schedulers.single().schedule(this::answer, ANSWERED_AFTER.toMillis(), TimeUnit.MILLISECONDS);
        return Mono.fromFuture(begun, true).doFinally(_ -> patience.dispose()).doOnCancel(() -> {
            // The server also cancels once it has what it waited for.
            if (!begun.isDone()) {
                leave();
            }
        });
    }

    private void answer() {
        begun.complete(Flux.create(this::subscribed));
    }

    private void subscribed(FluxSink<CodeEvent> reader) {
        synchronized (this) {
            sink = reader;
            early.forEach(reader::next);
            early.clear();
            if (over) {
                reader.complete();
                return;
            }
        }
        long every = pingEvery.toMillis();
        var pings = Schedulers.single().schedulePeriodically(() -> ping(reader), every, every, TimeUnit.MILLISECONDS);
        reader.onDispose(pings);
        reader.onCancel(this::leave);
        reader.onRequest(_ -> pull());
    }

    private void ping(FluxSink<CodeEvent> reader) {
        if (quiet && reader.requestedFromDownstream() > 0) {
            tell(new CodeEvent.Status(true));
        }
        quiet = true;
    }

    /** Asks for the next message if the reader has room for it. */
    private void pull() {
        synchronized (this) {
            if (asked || over || sink == null || sink.requestedFromDownstream() == 0) {
                return;
            }
            asked = true;
        }
        stream.request();
    }

    private synchronized void tell(CodeEvent event) {
        if (over) {
            return;
        }
        if (sink == null) {
            early.add(event);
        } else {
            sink.next(event);
        }
    }

    /** What was asked for has come. */
    private void arrived(@Nullable CodeEvent event) {
        quiet = false;
        synchronized (this) {
            asked = false;
            if (event != null) {
                tell(event);
            }
        }
        pull();
    }

    @Override
    public void started(String sessionId) {
        arrived(new CodeEvent.Started(executionId, sessionId));
        answer();
    }

    @Override
    public void output(boolean stderr, ByteString data) {
        reading.carried(data.size());
        arrived(new CodeEvent.Output(stderr, data));
    }

    @Override
    public void result(String id, ByteString piece, boolean last) {
        reading.carried(piece.size());
        try {
            var whole = pieces.add(id, piece, last);
            if (whole != null) {
                arrived(whole);
                return;
            }
        } catch (BivouacException refused) {
            stop();
            broken(refused, Ending.REFUSED);
            return;
        }
        // Nothing to tell yet: the rest of it is asked for at once.
        stream.request();
    }

    @Override
    public void raised(String name, String value, String traceback) {
        arrived(new CodeEvent.Raised(name, value, traceback));
    }

    @Override
    public void done(CodeDone done) {
        reading.end(ending(done));
        end(new CodeEvent.Exit(
                done.getOk(),
                done.getExecutionCount(),
                TimeUnit.MICROSECONDS.toMillis(done.getDurationMicros()),
                !done.getLost(),
                done.getTimedOut()));
    }

    private static Ending ending(CodeDone done) {
        if (done.getTimedOut()) {
            return Ending.TIMED_OUT;
        }
        if (done.getLost()) {
            return Ending.SESSION_LOST;
        }
        return done.getOk() ? Ending.OK : Ending.RAISED;
    }

    @Override
    public void failed(CodeFailure.Kind kind, String message) {
        broken(CodeFailures.refused(kind, message), Ending.REFUSED);
    }

    @Override
    public void lost(String why) {
        broken(CodeFailures.lost(why), Ending.LOST);
    }

    /** Before the answer has begun it is an ordinary error, later an event and an exit. */
    private void broken(BivouacException why, Ending how) {
        reading.end(how);
        if (begun.completeExceptionally(why)) {
            return;
        }
        tell(new CodeEvent.Broken(why));
        long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - began);
        // What became of the session is not known here; nobody should count on its variables.
        end(new CodeEvent.Exit(false, 0, millis, how == Ending.REFUSED, false));
    }

    private synchronized void end(CodeEvent.Exit exit) {
        if (over) {
            return;
        }
        tell(new CodeEvent.Status(false));
        tell(exit);
        over = true;
        pieces.close();
        if (sink != null) {
            sink.complete();
        }
        answer();
    }

    private void stop() {
        CodeStream open;
        synchronized (this) {
            open = stream;
        }
        if (open != null) {
            open.stop();
        }
    }

    private void leave() {
        reading.end(Ending.LEFT);
        synchronized (this) {
            if (over) {
                return;
            }
            over = true;
            pieces.close();
        }
        stop();
    }
}
