package io.bivouac.sandboxio.file;

import com.google.protobuf.ByteString;
import io.bivouac.agent.v1.FileDone;
import io.bivouac.agent.v1.FileFailure;
import io.bivouac.agent.v1.FileOrder;
import io.bivouac.agentlink.Agent;
import io.bivouac.agentlink.FileListener;
import io.bivouac.agentlink.FileStream;
import io.bivouac.sandboxio.file.Transfers.Transfer;
import io.micronaut.core.annotation.Nullable;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import reactor.core.publisher.Flux;
import reactor.core.publisher.FluxSink;
import reactor.core.publisher.Mono;

/**
 * Contents on their way out of a sandbox. A piece is asked of the agent when the reader has taken those before, so a reader
 * that stops holds two pieces here, and the rest waits in the sandbox. Thread-safe.
 */
final class FileReading implements FileListener {
    /** Pieces that are asked for ahead of the reader. */
    private static final int AHEAD = 2;

    /** From the file's opening until somebody reads it. */
    private static final Duration LONGEST_UNREAD = Duration.ofSeconds(30);

    private final Transfer transfer;
    private final CompletableFuture<FileDownload> begun = new CompletableFuture<>();
    private FileStream stream;
    private @Nullable FileEntry entry;
    private @Nullable FluxSink<ByteBuffer> sink;
    private int asked;
    private boolean over;
    private @Nullable Throwable failure;

    private FileReading(Transfer transfer) {
        this.transfer = transfer;
    }

    static Mono<FileDownload> of(Agent agent, FileOrder.Builder order, Transfer transfer) {
        var reading = new FileReading(transfer);
        synchronized (reading) {
            reading.stream = agent.files(order, reading);
        }
        reading.stream.request();
        return Mono.fromFuture(reading.begun, true).doOnCancel(() -> {
            // The server also cancels once it has what it waited for.
            if (!reading.begun.isDone()) {
                reading.leave();
            }
        });
    }

    @Override
    public void entry(io.bivouac.agent.v1.FileEntry opened) {
        synchronized (this) {
            entry = FileMessages.entry(opened);
        }
        begun.complete(new FileDownload(entry, Flux.create(this::subscribed)));
        Mono.delay(LONGEST_UNREAD).subscribe(_ -> leaveUnread());
    }

    private void leaveUnread() {
        boolean unread;
        synchronized (this) {
            unread = sink == null;
        }
        if (unread) {
            leave();
        }
    }

    private void subscribed(FluxSink<ByteBuffer> reader) {
        synchronized (this) {
            sink = reader;
            finishIfOver();
        }
        reader.onCancel(this::leave);
        reader.onRequest(_ -> pull());
    }

    private void pull() {
        int more;
        synchronized (this) {
            if (over || sink == null) {
                return;
            }
            more = (int) Math.min(AHEAD, sink.requestedFromDownstream()) - asked;
            asked += Math.max(0, more);
        }
        for (int i = 0; i < more; i++) {
            stream.request();
        }
    }

    @Override
    public void data(ByteString data) {
        transfer.carried(data.size());
        synchronized (this) {
            asked--;
            if (sink != null) {
                sink.next(data.asReadOnlyByteBuffer());
            }
        }
        pull();
    }

    @Override
    public void done(FileDone done) {
        if (entry == null) {
            begun.complete(new FileDownload(FileMessages.entry(done.getEntry()), null));
        }
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
