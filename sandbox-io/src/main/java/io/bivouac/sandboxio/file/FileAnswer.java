package io.bivouac.sandboxio.file;

import io.bivouac.agent.v1.FileDone;
import io.bivouac.agent.v1.FileFailure;
import io.bivouac.agentlink.Agent;
import io.bivouac.agentlink.FileListener;
import io.bivouac.agentlink.FileStream;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import reactor.core.publisher.Mono;

/** Waits for the one answer of an operation, and collects the entries that come before it. */
final class FileAnswer implements FileListener {
    private final List<FileEntry> entries = new ArrayList<>();
    private final CompletableFuture<FileDone> answer = new CompletableFuture<>();
    private volatile FileStream stream;

    private FileAnswer() {}

    /** What was asked, and all that was answered. */
    record Answered(FileDone done, List<FileEntry> entries) {
        FileEntry entry() {
            return FileMessages.entry(done.getEntry());
        }
    }

    static Mono<Answered> of(Agent agent, io.bivouac.agent.v1.FileOrder.Builder order) {
        var listener = new FileAnswer();
        listener.stream = agent.files(order, listener);
        listener.stream.request();
        return Mono.fromFuture(listener.answer, true)
                .map(done -> new Answered(done, listener.entries))
                .doOnCancel(listener.stream::stop);
    }

    @Override
    public void entries(List<io.bivouac.agent.v1.FileEntry> more) {
        // A list has a limit that was asked for; an agent that goes on beyond the largest one is not believed.
        if (entries.size() + more.size() > ListOrder.LARGEST_LIMIT) {
            lost("The sandbox's agent lists more than it was asked for.");
            stream.stop();
            return;
        }
        more.forEach(entry -> entries.add(FileMessages.entry(entry)));
        stream.request();
    }

    @Override
    public void done(FileDone done) {
        answer.complete(done);
    }

    @Override
    public void failed(FileFailure.Kind kind, String message, long size) {
        answer.completeExceptionally(FileFailures.refused(kind, message, size));
    }

    @Override
    public void lost(String why) {
        answer.completeExceptionally(FileFailures.lost(why));
    }
}
