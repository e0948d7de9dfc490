package io.bivouac.terminalrelay.recording;

import com.google.protobuf.ByteString;
import io.bivouac.agent.v1.Exit;
import io.bivouac.agent.v1.Failure;
import io.bivouac.agent.v1.ProcessOpened;
import io.bivouac.agent.v1.RecordingPart;
import io.bivouac.agent.v1.Screen;
import io.bivouac.agentlink.CommandStream;
import io.bivouac.agentlink.RecordingListener;
import io.micronaut.core.annotation.Nullable;

/** A sealed terminal while it is recorded: its agent writes, and this only keeps what nobody here can read. */
final class SealedRecorder implements Keeper, RecordingListener {
    private ByteString unstored = ByteString.EMPTY;
    private @Nullable CommandStream stream;
    private long next;
    private int owed;
    private boolean complete;
    private boolean gone;

    SealedRecorder(Recording from) {
        this.next = from.nextOffset();
    }

    @Override
    public synchronized @Nullable Piece take() {
        if (unstored.isEmpty() && !complete) {
            return null;
        }
        var piece = new Piece(unstored.toByteArray(), next, complete);
        unstored = ByteString.EMPTY;
        for (; owed > 0 && stream != null; owed--) {
            stream.request();
        }
        return piece;
    }

    @Override
    public synchronized boolean isOver() {
        return gone;
    }

    /** What is there ends here; why cannot be written into what only its owner can write on. */
    @Override
    public synchronized void stop(String why) {
        complete = true;
        leave();
    }

    @Override
    public synchronized void leave() {
        gone = true;
        if (stream != null) {
            stream.detach();
        }
    }

    @Override
    public synchronized void opened(CommandStream open, ProcessOpened answer) {
        stream = open;
        open.request();
    }

    @Override
    public synchronized void recorded(RecordingPart part) {
        unstored = unstored.concat(part.getData());
        next = part.getNextOffset();
        complete |= part.getComplete();
        gone |= part.getComplete();
        if (unstored.size() < MOST_UNSTORED && stream != null) {
            stream.request();
        } else {
            owed++;
        }
    }

    /** Its agent has said in the recording itself that it is complete. */
    @Override
    public synchronized void exited(Exit exit) {
        gone = true;
    }

    @Override
    public synchronized void failed(Failure.Kind kind, String message) {
        gone = true;
    }

    @Override
    public synchronized void lost(String why) {
        gone = true;
    }

    /** A sealed terminal's agent says nothing in the clear; who does is not believed. */
    @Override
    public void output(boolean stderr, long offset, ByteString data) {
        leave();
    }

    @Override
    public void gap(boolean stderr, long from, long to) {
        leave();
    }

    @Override
    public void screen(Screen screen) {
        leave();
    }

    @Override
    public void inputApplied(long sequence) {
        leave();
    }

    @Override
    public void resized(int columns, int rows) {
        leave();
    }

    @Override
    public void readyForInput() {}
}
