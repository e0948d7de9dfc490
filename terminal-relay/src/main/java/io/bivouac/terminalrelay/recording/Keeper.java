package io.bivouac.terminalrelay.recording;

import io.bivouac.agent.v1.Failure;
import io.bivouac.agent.v1.ProcessOpened;
import io.bivouac.agentlink.CommandListener;
import io.bivouac.agentlink.CommandStream;
import io.micronaut.core.annotation.Nullable;

/** One terminal while it is recorded. Asks its agent for more only while little waits to be stored. Thread-safe. */
abstract class Keeper implements CommandListener {
    /** Waits to be stored; beyond it a keeper looks away, as a slow viewer does. */
    static final int MOST_UNSTORED = 256 * 1024;

    private @Nullable CommandStream stream;
    private int owed;
    private boolean complete;
    private boolean over;

    /**
     * A part to be stored.
     *
     * @param nextOffset the first byte of output that is not in it or before it
     */
    record Piece(byte[] data, long nextOffset, boolean complete) {}

    /** The bytes that wait to be stored. */
    abstract int unstored();

    /** Takes out what waits to be stored. */
    abstract Piece piece(boolean complete);

    /** What is to be stored, or null. */
    final synchronized @Nullable Piece take() {
        if (unstored() == 0 && !complete) {
            return null;
        }
        var piece = piece(complete);
        for (; owed > 0 && stream != null; owed--) {
            stream.request();
        }
        return piece;
    }

    /** Nothing more comes from it. */
    final synchronized boolean isOver() {
        return over;
    }

    /** The recording is as large as it may be. */
    synchronized void stop(String why) {
        complete();
        leave();
    }

    final synchronized void leave() {
        over = true;
        if (stream != null) {
            stream.detach();
        }
    }

    /** All that there is to record has come. */
    final synchronized void complete() {
        complete = true;
        over = true;
    }

    /** One message is dealt with. */
    final synchronized void more() {
        if (unstored() < MOST_UNSTORED && stream != null) {
            stream.request();
        } else {
            owed++;
        }
    }

    @Override
    public boolean readsOn() {
        return false;
    }

    @Override
    public synchronized void opened(CommandStream open, ProcessOpened answer) {
        stream = open;
        open.request();
    }

    @Override
    public final synchronized void failed(Failure.Kind kind, String message) {
        over = true;
    }

    @Override
    public final synchronized void lost(String why) {
        over = true;
    }
}
