package io.bivouac.fronts.e2b.plane;

import com.google.protobuf.ByteString;
import io.bivouac.sandboxio.command.OutputFrames;
import io.bivouac.sandboxmodel.error.BivouacException;
import io.bivouac.sandboxmodel.error.ErrorCode;
import io.micronaut.core.annotation.Nullable;
import io.micronaut.json.tree.JsonNode;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;

/** A command's output as events of E2B's process service, in envelopes of the Connect protocol. */
final class ConnectFrames implements OutputFrames {
    private final Envelopes envelopes;

    ConnectFrames(Envelopes envelopes) {
        this.envelopes = envelopes;
    }

    private ByteBuf event(String kind, JsonNode data) {
        return envelopes.message(Json.of("event", Json.of(kind, data)));
    }

    @Override
    public ByteBuf start(int pid) {
        return event("start", Json.of(Map.of("pid", pid)));
    }

    @Override
    public ByteBuf output(boolean stderr, ByteString data) {
        var text = Base64.getEncoder().encodeToString(data.toByteArray());
        return event("data", Json.of(Map.of(stderr ? "stderr" : "stdout", text)));
    }

    @Override
    public @Nullable ByteBuf gap(boolean stderr, long from, long to) {
        return null;
    }

    @Override
    public @Nullable ByteBuf rest(boolean stderr) {
        return null;
    }

    @Override
    public ByteBuf exit(int code, boolean truncated, long durationMillis) {
        var end = new LinkedHashMap<String, Object>();
        end.put("exitCode", code < 0 ? -1 : code);
        end.put("exited", code >= 0);
        var status = code < 0 ? "signal: " + -code : "exit status " + code;
        end.put("status", status);
        if (code != 0) {
            end.put("error", status);
        }
        return Unpooled.wrappedBuffer(event("end", Json.of(end)), envelopes.end());
    }

    @Override
    public ByteBuf error(ErrorCode code, String detail) {
        return envelopes.end(ConnectErrors.of(code, detail));
    }

    @Override
    public ByteBuf error(BivouacException refusal) {
        return envelopes.end(ConnectErrors.of(refusal));
    }

    @Override
    public ByteBuf ping() {
        return event("keepalive", Json.EMPTY);
    }
}
