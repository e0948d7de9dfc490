package io.bivouac.terminalrelay.recording;

import io.bivouac.agentlink.TerminalListener;
import io.micronaut.core.annotation.Nullable;

/** One terminal while it is recorded. Thread-safe. */
interface Keeper extends TerminalListener {
    /** Waits to be stored; beyond it a keeper looks away, as a slow viewer does. */
    int MOST_UNSTORED = 256 * 1024;

    /**
     * A part to be stored.
     *
     * @param nextOffset the first byte of output that is not in it or before it
     */
    record Piece(byte[] data, long nextOffset, boolean complete) {}

    /** What is to be stored, or null. */
    @Nullable Piece take();

    /** Nothing more comes from it. */
    boolean isOver();

    /** The recording is as large as it may be. */
    void stop(String why);

    void leave();
}
