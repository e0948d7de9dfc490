package io.bivouac.terminalrelay.wire;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;
import io.bivouac.sandboxio.text.JsonBytes;
import io.micronaut.json.JsonMapper;
import io.netty.handler.codec.http.websocketx.TextWebSocketFrame;
import io.netty.handler.codec.http.websocketx.WebSocketFrame;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** What the JSON doors have in common: text frames, each an object with a type. */
abstract sealed class TextCodec implements Codec permits ExecCodec, PtyCodec, SessionCodec {
    private static final int ROOM = 48;

    private final JsonMapper json;

    TextCodec(JsonMapper json) {
        this.json = json;
    }

    @Override
    public final FromClient read(byte[] frame) throws BadFrame {
        var message = JsonFrame.parse(json, frame, 0);
        var encrypted = message.fields().get("encrypted");
        if (encrypted != null && encrypted.isBoolean() && encrypted.getBooleanValue()) {
            return sealed(message);
        }
        return read(message.text("type"), message);
    }

    abstract FromClient read(String type, JsonFrame message) throws BadFrame;

    /** Whatever type it says it is: what it really is stands inside. */
    private static FromClient sealed(JsonFrame message) throws BadFrame {
        var nonce = message.base64("nonce");
        if (nonce.length != Long.BYTES) {
            throw new BadFrame("nonce must be the message's number, eight bytes.");
        }
        return new FromClient.Sealed(
                ByteBuffer.wrap(nonce).getLong(), UnsafeByteOperations.unsafeWrap(message.base64("payload")));
    }

    static List<WebSocketFrame> sealed(ToClient.Sealed sealed) {
        var written = begin("sealed", sealed.data().size() / 3 * 4 + 4).raw(",\"encrypted\":true,\"nonce\":\"");
        written.base64(ByteBuffer.allocate(Long.BYTES).putLong(sealed.number()).array());
        written.raw("\",\"payload\":\"").base64(sealed.data().toByteArray());
        return frame(written.raw("\""));
    }

    static BadFrame unknown(String type) {
        return new BadFrame("There is no message of this type" + (type.length() > 32 ? "." : ": " + type + "."));
    }

    static JsonBytes begin(String type, int size) {
        return new JsonBytes(size + ROOM).raw("{\"type\":\"").raw(type).raw("\"");
    }

    static List<WebSocketFrame> frame(JsonBytes written) {
        return List.of(new TextWebSocketFrame(written.raw("}").done()));
    }

    static List<WebSocketFrame> joined(List<WebSocketFrame> first, List<WebSocketFrame> then) {
        return Stream.concat(first.stream(), then.stream()).toList();
    }

    static JsonBytes gap(ToClient.Gap gap) {
        return begin("gap", 0)
                .raw(",\"from\":" + gap.from() + ",\"to\":" + gap.to())
                .raw(gap.stderr() ? ",\"stream\":\"stderr\"" : "");
    }

    /** Room for text that needs few escapes. */
    static int sizeOf(ByteString data) {
        return data.size() + (data.size() >> 3);
    }

    static JsonBytes failure(ToClient.Failed failed) {
        var written = begin("error", failed.message().length())
                .raw(",\"message\":\"")
                .escaped(failed.message())
                .raw("\",\"code\":\"" + failed.code().name() + "\"");
        if (!failed.details().isEmpty()) {
            details(written, failed.details());
        }
        return written;
    }

    private static void details(JsonBytes written, Map<String, Object> details) {
        var separator = ",\"details\":{\"";
        for (var detail : details.entrySet()) {
            written.raw(separator).escaped(detail.getKey()).raw("\":\"").escaped(String.valueOf(detail.getValue()));
            separator = "\",\"";
        }
        written.raw("\"}");
    }
}
