package io.bivouac.terminalrelay.recording;

import com.google.protobuf.ByteString;
import io.bivouac.agent.v1.Exit;
import io.bivouac.agent.v1.RecordingPart;
import io.bivouac.agentlink.SealedListener;

/**
 * A sealed terminal while it is recorded: its agent writes, and this only keeps what nobody here can read. Where it is
 * stopped, the recording ends without a mark: only its owner could write one. Thread-safe.
 */
final class SealedRecorder extends Keeper implements SealedListener {
    private ByteString unstored = ByteString.EMPTY;
    private long next;

    SealedRecorder(Recording from) {
        this.next = from.nextOffset();
    }

    @Override
    int unstored() {
        return unstored.size();
    }

    @Override
    Piece piece(boolean complete) {
        var piece = new Piece(unstored.toByteArray(), next, complete);
        unstored = ByteString.EMPTY;
        return piece;
    }

    @Override
    public synchronized boolean recorded(RecordingPart part) {
        unstored = unstored.concat(part.getData());
        next = part.getNextOffset();
        if (part.getComplete()) {
            complete();
        }
        more();
        return true;
    }

    @Override
    public boolean readsOn() {
        return false;
    }

    /** Its agent has said in the recording itself that it is complete. */
    @Override
    public void exited(Exit exit) {
        leave();
    }

    @Override
    public void heardInTheClear() {
        leave();
    }
}
