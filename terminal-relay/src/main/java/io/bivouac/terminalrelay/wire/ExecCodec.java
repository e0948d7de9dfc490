package io.bivouac.terminalrelay.wire;

import com.google.protobuf.ByteString;
import io.bivouac.sandboxio.text.LossyText;
import io.micronaut.json.JsonMapper;
import io.netty.handler.codec.http.websocketx.WebSocketFrame;
import java.util.List;

/** Interactive exec: text both ways, and stderr by name when there is no terminal. */
public final class ExecCodec extends TextCodec {
    private final LossyText stdout = new LossyText();
    private final LossyText stderr = new LossyText();

    public ExecCodec(JsonMapper json) {
        super(json);
    }

    @Override
    FromClient read(String type, JsonFrame message) throws BadFrame {
        return switch (type) {
            case "input" -> new FromClient.Input(0, ByteString.copyFromUtf8(message.text("data")));
            case "end" -> new FromClient.EndOfInput();
            case "resize" -> message.resize();
            case "ping" -> new FromClient.Ping();
            default -> throw unknown(type);
        };
    }

    @Override
    public List<WebSocketFrame> write(ToClient message) {
        return switch (message) {
            case ToClient.Output output -> output(output.stderr(), output.data());
            case ToClient.Screen screen -> joined(rest(false), output(false, screen.data()));
            case ToClient.Gap gap -> joined(rest(gap.stderr()), frame(gap(gap)));
            case ToClient.Exited exited ->
                joined(joined(rest(false), rest(true)), frame(begin("exit", 0).raw(",\"exitCode\":" + exited.code())));
            case ToClient.Failed failed -> frame(failure(failed));
            case ToClient.Sealed sealed -> sealed(sealed);
            case ToClient.Pong _ -> frame(begin("pong", 0));
            case ToClient.Attached _,
                    ToClient.Resized _,
                    ToClient.Applied _,
                    ToClient.PermissionRequest _,
                    ToClient.PermissionResolved _ -> List.of();
        };
    }

    private List<WebSocketFrame> output(boolean error, ByteString data) {
        var written = begin("output", sizeOf(data)).raw(error ? ",\"stream\":\"stderr\",\"data\":\"" : ",\"data\":\"");
        return (error ? stderr : stdout).write(data, written) ? frame(written.raw("\"")) : List.of();
    }

    /** What waits for the rest of its character, which comes no more: not over a gap, nor on a fresh screen. */
    private List<WebSocketFrame> rest(boolean error) {
        var written = begin("output", 0).raw(error ? ",\"stream\":\"stderr\",\"data\":\"" : ",\"data\":\"");
        return (error ? stderr : stdout).end(written) ? frame(written.raw("\"")) : List.of();
    }
}
