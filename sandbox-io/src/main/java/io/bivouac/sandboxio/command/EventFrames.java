package io.bivouac.sandboxio.command;

import com.google.protobuf.ByteString;
import io.bivouac.sandboxio.text.JsonBytes;
import io.bivouac.sandboxio.text.Utf8;
import io.bivouac.sandboxmodel.error.BivouacException;
import io.bivouac.sandboxmodel.error.ErrorCode;
import io.micronaut.core.annotation.Nullable;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Writes a command's life as server-sent events. An event's id holds the offsets at which a client goes on
 * after it: {@code stdout-stderr}. Used by one thread at a time.
 */
final class EventFrames implements OutputFrames {
    private static final byte[] PING = ": ping\n\n".getBytes(StandardCharsets.US_ASCII);

    private static final String[] NAMES = {"stdout", "stderr"};
    private static final int AROUND = 192;
    private static final int SMALL = 256;

    private final String commandId;
    private final long[] next;
    private final byte[][] tails = {new byte[0], new byte[0]};

    EventFrames(String commandId, long stdoutOffset, long stderrOffset) {
        this.commandId = commandId;
        this.next = new long[] {stdoutOffset, stderrOffset};
    }

    @Override
    public ByteBuf start(int pid) {
        return end(begin("start", SMALL).raw(",\"pid\":" + pid));
    }

    @Override
    public ByteBuf exit(int code, boolean truncated, long durationMillis) {
        return end(begin("exit", SMALL)
                .raw(",\"exitCode\":" + code + ",\"truncated\":" + truncated + ",\"durationMs\":" + durationMillis));
    }

    @Override
    public ByteBuf error(ErrorCode code, String message) {
        return end(begin("error", SMALL + message.length())
                .raw(",\"code\":" + code.number() + ",\"name\":\"" + code.name() + "\",\"message\":\"")
                .escaped(message)
                .raw("\""));
    }

    @Override
    public ByteBuf error(BivouacException failure) {
        return error(failure.code(), failure.getMessage());
    }

    @Override
    public ByteBuf gap(boolean stderr, long from, long to) {
        int stream = stderr ? 1 : 0;
        tails[stream] = new byte[0];
        next[stream] = to;
        return end(begin("gap", SMALL).raw(",\"stream\":\"" + NAMES[stream] + "\",\"from\":" + from + ",\"to\":" + to));
    }

    /** Null when there is no whole character yet. */
    @Override
    public @Nullable ByteBuf output(boolean stderr, ByteString data) {
        int stream = stderr ? 1 : 0;
        var text = withTail(stream, Bytes.of(data));
        int whole = wholeCharacters(text);
        if (whole == 0) {
            tails[stream] = Arrays.copyOfRange(text.array(), text.offset(), text.end());
            return null;
        }
        tails[stream] = whole < text.length()
                ? Arrays.copyOfRange(text.array(), text.offset() + whole, text.end())
                : new byte[0];
        next[stream] += whole;
        return piece(stream, new Bytes(text.array(), text.offset(), whole));
    }

    /** What is left of a character that never came whole. */
    @Override
    public @Nullable ByteBuf rest(boolean stderr) {
        int stream = stderr ? 1 : 0;
        var tail = tails[stream];
        if (tail.length == 0) {
            return null;
        }
        tails[stream] = new byte[0];
        next[stream] += tail.length;
        return piece(stream, Bytes.of(tail));
    }

    private ByteBuf piece(int stream, Bytes text) {
        var json = begin(NAMES[stream], AROUND + text.length() + (text.length() >> 4));
        int mark = json.size();
        json.raw(",\"data\":\"");
        if (json.escaped(text.array(), text.offset(), text.end()) != text.end()) {
            json.rewind(mark);
            json.raw(",\"dataBase64\":\"");
            json.base64(Arrays.copyOfRange(text.array(), text.offset(), text.end()));
        }
        return end(json.raw("\""));
    }

    private Bytes withTail(int stream, Bytes data) {
        var tail = tails[stream];
        if (tail.length == 0) {
            return data;
        }
        var joined = Arrays.copyOf(tail, tail.length + data.length());
        System.arraycopy(data.array(), data.offset(), joined, tail.length, data.length());
        return Bytes.of(joined);
    }

    /** All of it, or up to the character that is cut at the end. */
    private static int wholeCharacters(Bytes text) {
        for (int back = 1; back <= Math.min(3, text.length()); back++) {
            int at = text.end() - back;
            if ((text.array()[at] & 0xC0) == 0xC0) {
                return Utf8.length(text.array(), at, text.end()) == Utf8.CUT ? text.length() - back : text.length();
            }
            if (text.array()[at] >= 0) {
                break;
            }
        }
        return text.length();
    }

    private JsonBytes begin(String type, int capacity) {
        return new JsonBytes(capacity)
                .raw("event: " + type + "\nid: " + next[0] + "-" + next[1] + "\ndata: {\"type\":\"" + type
                        + "\",\"commandId\":\"" + commandId + "\"");
    }

    private static ByteBuf end(JsonBytes json) {
        return json.raw("}\n\n").done();
    }

    @Override
    public ByteBuf ping() {
        return Unpooled.wrappedBuffer(PING);
    }
}
