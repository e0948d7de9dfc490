package io.bivouac.sandboxio.command;

import io.bivouac.agent.v1.ProcessOpened;
import io.bivouac.agentlink.CommandListener;
import io.bivouac.agentlink.CommandStream;
import io.bivouac.sandboxio.command.CommandMetrics.Ending;
import io.micronaut.core.annotation.Nullable;
import io.netty.buffer.ByteBuf;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import reactor.core.publisher.Flux;
import reactor.core.publisher.FluxSink;
import reactor.core.publisher.Mono;

/**
 * A command's output on its way to a client. One piece is asked of the agent when the client has taken the one
 * before, so a client that stops reading holds one piece here, and the rest waits in the sandbox.
 */
abstract class StreamedOutput implements CommandListener {
    /** From the stream's opening until the server begins to send it. */
    private static final Duration LONGEST_UNSENT = Duration.ofSeconds(30);

    private static final Duration FOR_EVER = Duration.ofDays(365);

    protected final CommandMetrics.Reading reading;
    private final CompletableFuture<StreamedOutput> begun = new CompletableFuture<>();
    private final Queue<ByteBuf> early = new ArrayDeque<>();
    private @Nullable CommandStream stream;
    private @Nullable FluxSink<ByteBuf> sink;
    private boolean asked;
    private boolean over;
    private @Nullable Throwable failure;

    StreamedOutput(CommandMetrics.Reading reading) {
        this.reading = reading;
    }

    /** Comes when it is clear that there is something to send; before that a failure is an ordinary error. */
    Mono<StreamedOutput> begun() {
        return Mono.fromFuture(begun, true).doOnCancel(() -> {
            // The server also cancels once it has what it waited for.
            if (!begun.isDone()) {
                leave();
            }
        });
    }

    Flux<ByteBuf> body() {
        return Flux.create(this::subscribed);
    }

    private void subscribed(FluxSink<ByteBuf> subscriber) {
        synchronized (this) {
            sink = subscriber;
            if (stream != null) {
                stream.giveUpAfter(FOR_EVER);
            }
            early.forEach(subscriber::next);
            early.clear();
            finishIfOver();
        }
        subscriber.onCancel(this::leave);
        subscriber.onRequest(_ -> pull());
        sending(subscriber);
    }

    /** The client is being sent to from now on. */
    protected void sending(FluxSink<ByteBuf> subscriber) {}

    @Override
    public void opened(CommandStream open, ProcessOpened answer) {
        synchronized (this) {
            stream = open;
            open.giveUpAfter(LONGEST_UNSENT);
            if (over) {
                open.detach();
            }
        }
    }

    protected final void ask() {
        synchronized (this) {
            asked = true;
        }
        stream.request();
    }

    /** Asks for the next piece if the client has room for it. */
    private void pull() {
        synchronized (this) {
            if (asked || over || stream == null || sink == null || sink.requestedFromDownstream() == 0) {
                return;
            }
            asked = true;
        }
        stream.request();
    }

    /** What was asked for has come; there may be nothing to send of it. */
    protected final void arrived(@Nullable ByteBuf piece) {
        synchronized (this) {
            asked = false;
            send(piece);
        }
        pull();
    }

    protected final synchronized void send(@Nullable ByteBuf piece) {
        if (piece == null) {
            return;
        }
        if (sink == null) {
            early.add(piece);
        } else {
            sink.next(piece);
        }
    }

    protected final void begin() {
        begun.complete(this);
    }

    protected final boolean hasBegun() {
        return begun.isDone();
    }

    /** Nothing was sent yet, and nothing will be. */
    protected final boolean refuse(Throwable why) {
        return begun.completeExceptionally(why);
    }

    protected final synchronized void end(@Nullable Throwable why) {
        over = true;
        failure = why;
        finishIfOver();
    }

    private void finishIfOver() {
        if (over && sink != null) {
            if (failure == null) {
                sink.complete();
            } else {
                sink.error(failure);
            }
        }
    }

    void leave() {
        reading.end(Ending.LEFT);
        CommandStream open;
        synchronized (this) {
            over = true;
            open = stream;
        }
        if (open != null) {
            open.detach();
        }
    }
}
