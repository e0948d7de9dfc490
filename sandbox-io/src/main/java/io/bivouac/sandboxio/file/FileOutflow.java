package io.bivouac.sandboxio.file;

import io.bivouac.agent.v1.FileDone;
import io.bivouac.agent.v1.FileFailure;
import io.bivouac.agent.v1.FileOrder;
import io.bivouac.agentlink.Agent;
import io.bivouac.agentlink.FileListener;
import io.bivouac.agentlink.FileStream;
import io.bivouac.sandboxio.file.Transfers.Transfer;
import io.micronaut.core.annotation.Nullable;
import java.util.concurrent.CompletableFuture;
import reactor.core.publisher.Flux;
import reactor.core.publisher.FluxSink;
import reactor.core.publisher.Mono;

/**
 * Something on its way out of a sandbox to one reader, asked of the agent as the reader takes it. It ends once: when the
 * agent has sent all, when the way to it breaks, or when the reader leaves. Thread-safe.
 *
 * @param <B> what its caller hears at the beginning
 * @param <T> what its reader gets
 */
abstract class FileOutflow<B, T> implements FileListener {
    private final Transfer transfer;
    private final CompletableFuture<B> begun = new CompletableFuture<>();
    private FileStream stream;
    private @Nullable FluxSink<T> sink;
    private boolean over;
    private @Nullable Throwable failure;

    FileOutflow(Transfer transfer) {
        this.transfer = transfer;
    }

    final Mono<B> begin(Agent agent, FileOrder.Builder order) {
        synchronized (this) {
            stream = agent.files(order, this);
        }
        stream.request();
        return Mono.fromFuture(begun, true).doOnCancel(() -> {
            // The server also cancels once it has what it waited for.
            if (!begun.isDone()) {
                leave();
            }
        });
    }

    /** Asks the agent for what the reader has room for. */
    abstract void pull();

    final void begun(B beginning) {
        begun.complete(beginning);
    }

    final Flux<T> flux() {
        return Flux.create(this::subscribed);
    }

    private void subscribed(FluxSink<T> reader) {
        synchronized (this) {
            sink = reader;
            finishIfOver();
        }
        reader.onCancel(this::leave);
        reader.onRequest(_ -> pull());
    }

    /** Null before anybody reads. Call it with this object's lock held. */
    final @Nullable FluxSink<T> reader() {
        return sink;
    }

    /** How much the reader has room for; none at the end. Call it with this object's lock held. */
    final long room() {
        return over || sink == null ? 0 : sink.requestedFromDownstream();
    }

    /** Asks for one more message. */
    final void request() {
        stream.request();
    }

    final Transfer transfer() {
        return transfer;
    }

    @Override
    public void done(FileDone done) {
        end(null);
    }

    @Override
    public final void failed(FileFailure.Kind kind, String message, long size) {
        fail(FileFailures.refused(kind, message, size));
    }

    @Override
    public final void lost(String why) {
        fail(FileFailures.lost(why));
    }

    private void fail(RuntimeException why) {
        begun.completeExceptionally(why);
        end(why);
    }

    private void end(@Nullable Throwable why) {
        transfer.end();
        synchronized (this) {
            over = true;
            failure = why;
            finishIfOver();
        }
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

    final void leave() {
        transfer.end();
        FileStream open;
        synchronized (this) {
            if (over) {
                return;
            }
            over = true;
            open = stream;
        }
        open.stop();
    }
}
