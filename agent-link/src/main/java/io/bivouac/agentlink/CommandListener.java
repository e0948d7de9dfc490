package io.bivouac.agentlink;

import com.google.protobuf.ByteString;
import io.bivouac.agent.v1.Exit;
import io.bivouac.agent.v1.Failure;
import io.bivouac.agent.v1.ProcessOpened;
import io.bivouac.agent.v1.RecordingPart;
import io.bivouac.agent.v1.Screen;
import io.bivouac.agent.v1.Sealed;

/**
 * Hears what one reader of a command or terminal hears. Calls come one after the other, on a network thread: they must
 * return at once. One of {@link #exited}, {@link #failed} and {@link #lost} is the last. Messages that only some
 * readers expect have an answer: false when no agent of ours would send this one, which ends the agent's connection.
 */
public interface CommandListener {
    /** The agent has opened the stream; nothing more comes until it is requested. Without a pid it was refused. */
    void opened(CommandStream stream, ProcessOpened answer);

    /** One piece of output; ask for the next when this one is dealt with. */
    void output(boolean stderr, long offset, ByteString data);

    /** These bytes are no longer there. */
    void gap(boolean stderr, long from, long to);

    void exited(Exit exit);

    void failed(Failure.Kind kind, String message);

    /** The agent, or the way to it, is gone; the command may go on. */
    void lost(String why);

    /** Whether it reads on over the agent's next connection; a terminal's clients come back by their own rules. */
    default boolean readsOn() {
        return true;
    }

    /** What could not be sent before may be sent now. */
    default void readyForInput() {}

    /** The terminal as it is drawn; output goes on from its offset. */
    default boolean screen(Screen screen) {
        return false;
    }

    /** The agent has written this source's input up to this sequence. */
    default boolean inputApplied(long sequence) {
        return false;
    }

    default boolean resized(int columns, int rows) {
        return false;
    }

    /** A message between a sealed terminal and its client, which nobody here can read. */
    default boolean sealed(Sealed message) {
        return false;
    }

    /** A part of the recording that a sealed terminal's agent makes. */
    default boolean recorded(RecordingPart part) {
        return false;
    }
}
