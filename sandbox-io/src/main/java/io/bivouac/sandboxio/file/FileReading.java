package io.bivouac.sandboxio.file;

import com.google.protobuf.ByteString;
import io.bivouac.agent.v1.FileDone;
import io.bivouac.agent.v1.FileOrder;
import io.bivouac.agentlink.Agent;
import io.bivouac.sandboxio.file.Transfers.Transfer;
import io.micronaut.core.annotation.Nullable;
import java.nio.ByteBuffer;
import java.time.Duration;
import reactor.core.publisher.Mono;

/**
 * Contents on their way out of a sandbox. A piece is asked of the agent when the reader has taken those before, so a reader
 * that stops holds two pieces here, and the rest waits in the sandbox. Thread-safe.
 */
final class FileReading extends FileOutflow<FileDownload, ByteBuffer> {
    /** Pieces that are asked for ahead of the reader. */
    private static final int AHEAD = 2;

    /** From the file's opening until somebody reads it. */
    private static final Duration LONGEST_UNREAD = Duration.ofSeconds(30);

    private @Nullable FileEntry entry;
    private int asked;

    private FileReading(Transfer transfer) {
        super(transfer);
    }

    static Mono<FileDownload> of(Agent agent, FileOrder.Builder order, Transfer transfer) {
        return new FileReading(transfer).begin(agent, order);
    }

    @Override
    public void entry(io.bivouac.agent.v1.FileEntry opened) {
        synchronized (this) {
            entry = FileMessages.entry(opened);
        }
        begun(new FileDownload(entry, flux()));
        Mono.delay(LONGEST_UNREAD).subscribe(_ -> leaveUnread());
    }

    private void leaveUnread() {
        boolean unread;
        synchronized (this) {
            unread = reader() == null;
        }
        if (unread) {
            leave();
        }
    }

    @Override
    void pull() {
        int more;
        synchronized (this) {
            more = (int) Math.min(AHEAD, room()) - asked;
            asked += Math.max(0, more);
        }
        for (int i = 0; i < more; i++) {
            request();
        }
    }

    @Override
    public void data(ByteString data) {
        transfer().carried(data.size());
        synchronized (this) {
            asked--;
            var reader = reader();
            if (reader != null) {
                reader.next(data.asReadOnlyByteBuffer());
            }
        }
        pull();
    }

    @Override
    public void done(FileDone done) {
        if (entry == null) {
            begun(new FileDownload(FileMessages.entry(done.getEntry()), null));
        }
        super.done(done);
    }
}
