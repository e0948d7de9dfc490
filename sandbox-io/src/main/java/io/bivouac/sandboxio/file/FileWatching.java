package io.bivouac.sandboxio.file;

import io.bivouac.agent.v1.FileDone;
import io.bivouac.agent.v1.FileFailure;
import io.bivouac.agent.v1.FileOrder;
import io.bivouac.agentlink.Agent;
import io.bivouac.agentlink.FileListener;
import io.bivouac.agentlink.FileStream;
import io.bivouac.sandboxio.file.Transfers.Transfer;
import io.micronaut.core.annotation.Nullable;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import reactor.core.publisher.Flux;
import reactor.core.publisher.FluxSink;
import reactor.core.publisher.Mono;

/** Events of a watched folder on their way out. A reader that stops holds one message here; the agent tells of the rest as missed. */
final class FileWatching implements FileListener {
    private final Transfer transfer;
    private final CompletableFuture<Flux<FileEvent>> begun = new CompletableFuture<>();
    private FileStream stream;
    private @Nullable FluxSink<FileEvent> sink;
    private boolean asked;
    private boolean over;
    private @Nullable Throwable failure;

    private FileWatching(Transfer transfer) {
        this.transfer = transfer;
    }

    static Mono<Flux<FileEvent>> of(Agent agent, FileOrder.Builder order, Transfer transfer) {
        var watching = new FileWatching(transfer);
        synchronized (watching) {
            watching.stream = agent.files(order, watching);
        }
        watching.stream.request();
        return Mono.fromFuture(watching.begun, true).doOnCancel(() -> {
            // The server also cancels once it has what it waited for.
            if (!watching.begun.isDone()) {
                watching.leave();
            }
        });
    }

    @Override
    public void entry(io.bivouac.agent.v1.FileEntry watched) {
        begun.complete(Flux.create(this::subscribed));
    }

    private void subscribed(FluxSink<FileEvent> reader) {
        synchronized (this) {
            sink = reader;
            finishIfOver();
        }
        reader.onCancel(this::leave);
        reader.onRequest(_ -> pull());
    }

    private void pull() {
        synchronized (this) {
            if (asked || over || sink == null || sink.requestedFromDownstream() == 0) {
                return;
            }
            asked = true;
        }
        stream.request();
    }

    @Override
    public void events(List<io.bivouac.agent.v1.FileEvent> events) {
        synchronized (this) {
            asked = false;
            if (sink != null) {
                events.stream().map(FileMessages::event).forEach(sink::next);
            }
        }
        pull();
    }

    @Override
    public void done(FileDone done) {
        end(null);
    }

    @Override
    public void failed(FileFailure.Kind kind, String message, long size) {
        fail(FileFailures.refused(kind, message, size));
    }

    @Override
    public void lost(String why) {
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

    private void leave() {
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
