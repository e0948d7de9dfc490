package io.bivouac.agentlink;

import com.google.protobuf.ByteString;
import io.bivouac.agent.v1.Screen;

/** Hears a sealed terminal, whose agent says nothing in the clear. */
public interface SealedListener extends CommandListener {
    /** The agent has said something that should have been sealed; nothing of it is passed on. */
    void heardInTheClear();

    /** Only the client can shake hands again. */
    @Override
    default boolean readsOn() {
        return false;
    }

    @Override
    default void output(boolean stderr, long offset, ByteString data) {
        heardInTheClear();
    }

    @Override
    default void gap(boolean stderr, long from, long to) {
        heardInTheClear();
    }

    @Override
    default boolean screen(Screen screen) {
        heardInTheClear();
        return true;
    }

    @Override
    default boolean inputApplied(long sequence) {
        heardInTheClear();
        return true;
    }

    @Override
    default boolean resized(int columns, int rows) {
        heardInTheClear();
        return true;
    }
}
