package io.bivouac.agentlink;

import com.google.protobuf.ByteString;
import io.bivouac.agent.v1.Exit;
import io.bivouac.agent.v1.Failure;

/**
 * Hears what one reader of a command hears. Calls come one after the other, on a network thread: they must
 * return at once. The last three are each the last.
 */
public interface CommandListener {
    /** The agent has opened the stream; nothing more comes until it is requested. */
    void opened(CommandStream stream, int pid);

    /** One piece of output; ask for the next when this one is dealt with. */
    void output(boolean stderr, long offset, ByteString data);

    /** These bytes are no longer there. */
    void gap(boolean stderr, long from, long to);

    void exited(Exit exit);

    void failed(Failure.Kind kind, String message);

    /** The agent, or the way to it, is gone; the command may go on. */
    void lost(String why);
}
