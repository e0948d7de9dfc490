package io.bivouac.agentlink;

import com.google.protobuf.ByteString;
import io.bivouac.agent.v1.CodeDone;
import io.bivouac.agent.v1.CodeFailure;
import io.bivouac.agent.v1.CodeSession;
import java.util.List;

/**
 * Hears how an operation on code goes. Exactly one of {@code done}, {@code failed} and {@code lost} comes, as the last one,
 * unless the operation is stopped. Called on network threads; returns at once.
 */
public interface CodeListener {
    /** It is this session's turn to run the code. */
    default void started(String sessionId) {}

    default void output(boolean stderr, ByteString data) {}

    /** A piece of a result's JSON. */
    default void result(String id, ByteString piece, boolean last) {}

    /** What the code raised; its text is cut to its bounds, and is the code's own. */
    default void raised(String name, String value, String traceback) {}

    default void sessions(List<CodeSession> sessions) {}

    /** A piece of a former result. */
    default void data(ByteString piece) {}

    void done(CodeDone done);

    void failed(CodeFailure.Kind kind, String message);

    /** The way to the agent broke, or the agent did not answer. */
    void lost(String why);
}
