package io.bivouac.agentlink;

import io.bivouac.agent.v1.ProcessOpened;
import io.bivouac.agent.v1.Screen;

/** Hears what one attachment of a terminal hears, or whoever types to a command while it runs. */
public interface TerminalListener extends CommandListener {
    void opened(CommandStream stream, ProcessOpened answer);

    /** The terminal as it is drawn; output goes on from its offset. */
    void screen(Screen screen);

    /** The agent has written this source's input up to this sequence. */
    void inputApplied(long sequence);

    void resized(int columns, int rows);

    /** What could not be sent before may be sent now. */
    void readyForInput();

    @Override
    default void opened(CommandStream stream, int pid) {
        throw new IllegalStateException("terminals hear the whole answer");
    }
}
