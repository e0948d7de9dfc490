package io.bivouac.fronts.opensandbox.execd;

import com.google.protobuf.ByteString;
import io.bivouac.sandboxio.command.OutputFrames;
import io.bivouac.sandboxmodel.error.BivouacException;
import io.bivouac.sandboxmodel.error.ErrorCode;
import io.micronaut.core.annotation.Nullable;
import io.micronaut.json.JsonMapper;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** A command's output as events of OpenSandbox, a line each. Used by one thread at a time. */
final class ExecdFrames implements OutputFrames {
    private static final byte[] START = "data: ".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] END = "\n\n".getBytes(StandardCharsets.US_ASCII);

    private final String commandId;
    private final JsonMapper json;
    private final Lines stdout = new Lines();
    private final Lines stderr = new Lines();

    ExecdFrames(String commandId, JsonMapper json) {
        this.commandId = commandId;
        this.json = json;
    }

    private ByteBuf frame(ExecdEvent event) {
        try {
            return Unpooled.wrappedBuffer(START, json.writeValueAsBytes(event), END);
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
    }

    @Override
    public ByteBuf start(int pid) {
        return frame(ExecdEvent.text("init", commandId));
    }

    @Override
    public @Nullable ByteBuf output(boolean ofStderr, ByteString data) {
        var lines = (ofStderr ? stderr : stdout).cut(data);
        return lines.isEmpty()
                ? null
                : Unpooled.wrappedBuffer(
                        lines.stream().map(line -> line(ofStderr, line)).toArray(ByteBuf[]::new));
    }

    private ByteBuf line(boolean ofStderr, String line) {
        return frame(ExecdEvent.text(ofStderr ? "stderr" : "stdout", line));
    }

    @Override
    public @Nullable ByteBuf gap(boolean ofStderr, long from, long to) {
        return null;
    }

    @Override
    public @Nullable ByteBuf rest(boolean ofStderr) {
        var rest = (ofStderr ? stderr : stdout).rest();
        return rest == null ? null : line(ofStderr, rest);
    }

    /** The SDKs read the exit code from an error's value; a signal has none. */
    @Override
    public ByteBuf exit(int code, boolean truncated, long durationMillis) {
        if (code == 0) {
            return complete(durationMillis);
        }
        return code < 0
                ? frame(ExecdEvent.failed("CommandExecError", "-1", "signal " + -code))
                : frame(ExecdEvent.failed("CommandExecError", Integer.toString(code), "exit status " + code));
    }

    ByteBuf complete(long durationMillis) {
        return frame(ExecdEvent.complete(durationMillis));
    }

    @Override
    public ByteBuf error(ErrorCode code, String detail) {
        return frame(ExecdEvent.failed(code.name(), detail, detail));
    }

    @Override
    public ByteBuf error(BivouacException refusal) {
        return error(refusal.code(), refusal.getMessage());
    }

    @Override
    public ByteBuf ping() {
        return frame(ExecdEvent.text("ping", "pong"));
    }
}
