package io.bivouac.terminalrelay.wire;

import com.google.protobuf.ByteString;
import io.micronaut.json.JsonMapper;
import io.netty.handler.codec.http.websocketx.WebSocketFrame;
import java.util.List;

/** PTYs: data in base64 both ways. */
public final class PtyCodec extends TextCodec {
    public PtyCodec(JsonMapper json) {
        super(json);
    }

    @Override
    FromClient read(String type, JsonFrame message) throws BadFrame {
        return switch (type) {
            case "input" -> new FromClient.Input(0, ByteString.copyFrom(message.base64("data")));
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
            case ToClient.Output output -> data(output.offset(), output.data());
            case ToClient.Screen screen -> data(-1, screen.data());
            case ToClient.Gap gap -> frame(gap(gap));
            case ToClient.Exited exited -> frame(begin("exit", 0).raw(",\"exitCode\":" + exited.code()));
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

    private static List<WebSocketFrame> data(long offset, ByteString data) {
        var written = begin("output", data.size() / 3 * 4 + 4);
        if (offset >= 0) {
            written.raw(",\"offset\":" + offset);
        }
        written.raw(",\"data\":\"").base64(data.toByteArray());
        return frame(written.raw("\""));
    }
}
