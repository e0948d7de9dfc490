package io.bivouac.sandboxio.command;

import com.google.protobuf.ByteString;
import io.bivouac.sandboxmodel.error.BivouacException;
import io.bivouac.sandboxmodel.error.ErrorCode;
import io.micronaut.core.annotation.Nullable;
import io.netty.buffer.ByteBuf;

/** How a command's streamed output is spelled for one kind of client. Null where a kind has nothing to say. */
public interface OutputFrames {
    ByteBuf start(int pid);

    @Nullable ByteBuf output(boolean stderr, ByteString data);

    @Nullable ByteBuf gap(boolean stderr, long from, long to);

    /** What is left of a stream when nothing more comes. */
    @Nullable ByteBuf rest(boolean stderr);

    /** The last frame of a command that ended; by signal n: code -n. */
    ByteBuf exit(int code, boolean truncated, long durationMillis);

    /** The last frame of a command that did not end as it should. */
    ByteBuf error(ErrorCode code, String detail);

    ByteBuf error(BivouacException refusal);

    /** Shows a client of a quiet command that its stream is alive. */
    ByteBuf ping();
}
