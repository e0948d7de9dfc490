package io.bivouac.sandboxio.code;

import com.google.protobuf.ByteString;
import io.bivouac.agent.v1.CodeDone;
import io.bivouac.agent.v1.CodeFailure;
import io.bivouac.agent.v1.CodeOrder;
import io.bivouac.agent.v1.CodeSession;
import io.bivouac.agentlink.Agent;
import io.bivouac.agentlink.CodeListener;
import io.bivouac.agentlink.CodeStream;
import io.bivouac.foundation.memory.Holding;
import io.bivouac.sandboxmodel.error.BivouacException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import reactor.core.publisher.Mono;

/** Waits for the one answer of an operation on code, and collects what comes before it. */
final class CodeAnswer implements CodeListener {
    private final CompletableFuture<Answered> answer = new CompletableFuture<>();
    private final Holding room;
    private volatile CodeStream stream;
    private volatile List<CodeSession> sessions = List.of();
    private ByteString data = ByteString.EMPTY;

    /** What was asked, and all that was answered. */
    record Answered(CodeDone done, List<CodeSession> sessions, ByteString data) {}

    private CodeAnswer(Holding room) {
        this.room = room;
    }

    static Mono<Answered> of(Agent agent, CodeOrder.Builder order, Holding room) {
        var listener = new CodeAnswer(room);
        listener.stream = agent.code(order, listener);
        listener.stream.request();
        return Mono.fromFuture(listener.answer, true)
                .doFinally(_ -> room.close())
                .doOnCancel(listener.stream::stop);
    }

    @Override
    public void sessions(List<CodeSession> all) {
        sessions = all;
        stream.request();
    }

    @Override
    public void data(ByteString piece) {
        if (!room.take(piece.size())) {
            fail(room.refusal());
            stream.stop();
            return;
        }
        data = data.concat(piece);
        stream.request();
    }

    @Override
    public void done(CodeDone done) {
        answer.complete(new Answered(done, sessions, data));
    }

    @Override
    public void failed(CodeFailure.Kind kind, String message) {
        fail(CodeFailures.refused(kind, message));
    }

    @Override
    public void lost(String why) {
        fail(CodeFailures.lost(why));
    }

    private void fail(BivouacException why) {
        answer.completeExceptionally(why);
    }
}
