package io.bivouac.terminalrelay.terminal;

import io.bivouac.terminalrelay.wire.FromClient;
import io.bivouac.terminalrelay.wire.ToClient;

/** Hears one client's messages, one after the other, on its network thread: it must return at once. */
public interface Listening {
    void receive(FromClient message);

    /** Says something beside the output, on any thread. False when the client does not take it right now. */
    default boolean tell(ToClient message) {
        return false;
    }

    /** A frame that made no sense. */
    void misheard(String why);

    /**
     * The client is gone.
     *
     * @param farewell whether it said so, rather than just being cut off
     */
    void gone(boolean farewell);
}
