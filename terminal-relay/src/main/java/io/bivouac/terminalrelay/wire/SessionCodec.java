package io.bivouac.terminalrelay.wire;

import com.google.protobuf.ByteString;
import io.bivouac.sandboxio.text.LossyText;
import io.micronaut.json.JsonMapper;
import io.netty.handler.codec.http.websocketx.WebSocketFrame;
import java.util.List;

/** Terminal sessions: text both ways, signals, and errors with a code. */
public final class SessionCodec extends TextCodec {
    private final LossyText text = new LossyText();

    public SessionCodec(JsonMapper json) {
        super(json);
    }

    @Override
    FromClient read(String type, JsonFrame message) throws BadFrame {
        return switch (type) {
            case "input" -> new FromClient.Input(0, ByteString.copyFromUtf8(message.text("data")));
            case "resize" -> message.resize();
            case "signal" -> Signals.named(message.text("signal"));
            case "ping" -> new FromClient.Ping();
            case PermissionJson.RESPONSE -> PermissionJson.read(message);
            default -> throw unknown(type);
        };
    }

    @Override
    public List<WebSocketFrame> write(ToClient message) {
        return switch (message) {
            case ToClient.Output output -> output(output.data());
            case ToClient.Screen screen -> joined(rest(), output(screen.data()));
            case ToClient.Gap gap -> joined(rest(), frame(gap(gap)));
            case ToClient.Exited exited -> joined(rest(), exit(exited.code()));
            case ToClient.Failed failed -> frame(failure(failed));
            case ToClient.Sealed sealed -> sealed(sealed);
            case ToClient.Pong _ -> frame(begin("pong", 0));
            case ToClient.PermissionRequest request ->
                frame(PermissionJson.write(request, begin("permission_request", 0)));
            case ToClient.PermissionResolved resolved ->
                frame(PermissionJson.write(resolved, begin("permission_resolved", 0)));
            case ToClient.Attached _, ToClient.Resized _, ToClient.Applied _ -> List.of();
        };
    }

    private List<WebSocketFrame> output(ByteString data) {
        var written = begin("output", sizeOf(data)).raw(",\"data\":\"");
        return text.write(data, written) ? frame(written.raw("\"")) : List.of();
    }

    /** What waits for the rest of its character, which comes no more: not over a gap, nor on a fresh screen. */
    private List<WebSocketFrame> rest() {
        var written = begin("output", 0).raw(",\"data\":\"");
        return text.end(written) ? frame(written.raw("\"")) : List.of();
    }

    private static List<WebSocketFrame> exit(int code) {
        var written = begin("exit", 0).raw(",\"code\":" + code);
        if (code < 0) {
            written.raw(",\"signal\":\"" + Signals.name(-code) + "\"");
        }
        return frame(written);
    }
}
