package io.bivouac.sandboxio.file;

import com.google.protobuf.UnsafeByteOperations;
import io.bivouac.agent.v1.FileDone;
import io.bivouac.agent.v1.FileFailure;
import io.bivouac.agent.v1.FileOrder;
import io.bivouac.agentlink.Agent;
import io.bivouac.agentlink.FileListener;
import io.bivouac.agentlink.FileStream;
import io.bivouac.sandboxio.file.Transfers.Transfer;
import io.bivouac.sandboxmodel.error.BivouacException;
import io.bivouac.sandboxmodel.error.ErrorCode;
import io.micronaut.core.annotation.Nullable;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import org.reactivestreams.Publisher;
import org.reactivestreams.Subscriber;
import org.reactivestreams.Subscription;
import reactor.core.publisher.Mono;

/**
 * Contents on their way into a sandbox. Some are asked of the sender when the agent has taken those before, so a disk that is
 * slow holds the sender back. Contents that break off are not completed, and the agent forgets them. Thread-safe.
 */
final class FileWriting implements FileListener, Subscriber<byte[]> {
    /** Pieces of the sender, of a few kilobytes each, that are asked for at a time. */
    private static final int AT_ONCE = 16;

    private final Transfer transfer;
    private final CompletableFuture<FileDone> answer = new CompletableFuture<>();
    private final Publisher<byte[]> contents;
    private volatile FileStream stream;
    private @Nullable Subscription sender;
    private boolean begun;
    private boolean complete;
    private int asked;
    private byte[] piece = {};
    private int filled;

    private FileWriting(Publisher<byte[]> contents, Transfer transfer) {
        this.contents = contents;
        this.transfer = transfer;
    }

    static Mono<FileDone> of(Agent agent, FileOrder.Builder order, Publisher<byte[]> contents, Transfer transfer) {
        var writing = new FileWriting(contents, transfer);
        writing.stream = agent.files(order, writing);
        writing.stream.request();
        return Mono.fromFuture(writing.answer, true).doOnCancel(writing::leave);
    }

    // ---- the agent's side -------------------------------------------------------------------------------

    @Override
    public void ready(FileStream open) {
        boolean first;
        synchronized (this) {
            stream = open;
            first = !begun;
            begun = true;
        }
        if (first) {
            contents.subscribe(this);
        } else {
            pull();
        }
    }

    @Override
    public void done(FileDone done) {
        transfer.end();
        answer.complete(done);
        cancel();
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
        transfer.end();
        answer.completeExceptionally(why);
        cancel();
    }

    private void cancel() {
        Subscription from;
        synchronized (this) {
            from = sender;
            if (complete || from == null) {
                return;
            }
            complete = true;
        }
        from.cancel();
    }

    private void leave() {
        transfer.end();
        stream.stop();
        cancel();
    }

    // ---- the sender's side ------------------------------------------------------------------------------

    @Override
    public void onSubscribe(Subscription from) {
        synchronized (this) {
            sender = from;
        }
        if (answer.isDone()) {
            cancel();
        } else {
            pull();
        }
    }

    private void pull() {
        synchronized (this) {
            if (sender == null || complete || asked > 0 || !stream.isReady()) {
                return;
            }
            asked = AT_ONCE;
        }
        sender.request(AT_ONCE);
    }

    /** Small pieces are joined: each message costs more than its bytes. */
    @Override
    public void onNext(byte[] bytes) {
        transfer.carried(bytes.length);
        synchronized (this) {
            asked--;
            int at = 0;
            while (at < bytes.length) {
                if (filled == piece.length) {
                    flush();
                    piece = new byte[FileStream.LARGEST_PIECE];
                }
                int length = Math.min(bytes.length - at, piece.length - filled);
                System.arraycopy(bytes, at, piece, filled, length);
                filled += length;
                at += length;
            }
        }
        pull();
    }

    private void flush() {
        if (filled > 0) {
            var whole = filled == piece.length ? piece : Arrays.copyOf(piece, filled);
            stream.send(UnsafeByteOperations.unsafeWrap(whole));
            filled = 0;
            piece = new byte[0];
        }
    }

    @Override
    public void onComplete() {
        synchronized (this) {
            complete = true;
            flush();
            stream.end();
        }
    }

    /** The sender broke off. */
    @Override
    public void onError(Throwable broken) {
        synchronized (this) {
            complete = true;
            // What has come of an upload in parts is kept where it goes on.
            flush();
        }
        stream.stop();
        transfer.end();
        answer.completeExceptionally(
                new BivouacException(ErrorCode.INVALID_REQUEST, "The contents broke off before their end.", broken));
    }
}
