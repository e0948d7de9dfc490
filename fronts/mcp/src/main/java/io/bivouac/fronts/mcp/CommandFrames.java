package io.bivouac.fronts.mcp;

import com.google.protobuf.ByteString;
import io.bivouac.sandboxio.command.OutputFrames;
import io.bivouac.sandboxmodel.error.BivouacException;
import io.bivouac.sandboxmodel.error.ErrorCode;
import io.micronaut.core.annotation.Nullable;
import io.netty.buffer.ByteBuf;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A command's output on its way to an assistant: as progress while it runs, if the client asked for that, and bounded in
 * the answer. Used by one thread at a time.
 */
final class CommandFrames implements OutputFrames {
    private final ToolCall call;
    private final Messages messages;
    private final Output stdout = new Output();
    private final Output stderr = new Output();
    private long progress;
    private boolean gaps;

    CommandFrames(ToolCall call, Messages messages) {
        this.call = call;
        this.messages = messages;
    }

    /** One of the two streams. */
    private static final class Output {
        private final BoundedText text = new BoundedText();
        private final CharsetDecoder decoder = StandardCharsets.UTF_8
                .newDecoder()
                .onMalformedInput(CodingErrorAction.REPLACE)
                .onUnmappableCharacter(CodingErrorAction.REPLACE);
        private byte[] begun = new byte[0];

        /** The characters that these bytes complete. */
        String add(byte[] more, boolean last) {
            var in = ByteBuffer.allocate(begun.length + more.length)
                    .put(begun)
                    .put(more)
                    .flip();
            var out = CharBuffer.allocate(in.remaining() + 1);
            decoder.decode(in, out, last);
            begun = new byte[in.remaining()];
            in.get(begun);
            var piece = out.flip().toString();
            text.add(piece);
            return piece;
        }
    }

    private Output of(boolean ofStderr) {
        return ofStderr ? stderr : stdout;
    }

    /** Nothing yet, so that a refusal can still be an answer without a stream. */
    @Override
    public ByteBuf start(int pid) {
        return messages.comment();
    }

    @Override
    public @Nullable ByteBuf output(boolean ofStderr, ByteString data) {
        return told(of(ofStderr).add(data.toByteArray(), false));
    }

    private @Nullable ByteBuf told(String piece) {
        if (call.progress() == null || piece.isEmpty()) {
            return null;
        }
        progress += piece.length();
        return messages.event(Messages.notification(
                "notifications/progress",
                Map.of("progressToken", call.progress(), "progress", progress, "message", piece)));
    }

    @Override
    public @Nullable ByteBuf gap(boolean ofStderr, long from, long to) {
        gaps = true;
        of(ofStderr).text.add("[" + (to - from) + " bytes were lost]");
        return null;
    }

    @Override
    public @Nullable ByteBuf rest(boolean ofStderr) {
        return told(of(ofStderr).add(new byte[0], true));
    }

    @Override
    public ByteBuf exit(int code, boolean truncated, long durationMillis) {
        var facts = new LinkedHashMap<String, Object>();
        facts.put("exitCode", code);
        facts.put("stdout", stdout.text.toString());
        facts.put("stderr", stderr.text.toString());
        facts.put("truncated", truncated || gaps || stdout.text.isCut() || stderr.text.isCut());
        facts.put("durationMs", durationMillis);
        var result = ToolResult.text(words("exit code " + code));
        result.put("structuredContent", facts);
        return messages.event(Messages.response(call.request(), result));
    }

    private String words(String end) {
        var told = new ArrayList<String>();
        if (!stdout.text.toString().isEmpty()) {
            told.add(stdout.text.toString());
        }
        if (!stderr.text.toString().isEmpty()) {
            told.add("stderr:\n" + stderr.text);
        }
        told.add(end);
        return String.join("\n", told);
    }

    @Override
    public ByteBuf error(ErrorCode code, String detail) {
        return error(new BivouacException(code, detail));
    }

    @Override
    public ByteBuf error(BivouacException refusal) {
        var result = ToolResult.text(words(refusal.getMessage()));
        result.put("isError", true);
        return messages.event(Messages.response(call.request(), result));
    }

    @Override
    public ByteBuf ping() {
        return messages.comment();
    }
}
