package io.bivouac.terminalrelay.wire;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;
import io.bivouac.sandboxio.text.JsonBytes;
import io.micronaut.json.JsonMapper;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.websocketx.BinaryWebSocketFrame;
import io.netty.handler.codec.http.websocketx.WebSocketFrame;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

/** {@code bivouac.terminal.v1}: a type, a number and bytes; every door speaks it. */
public final class BinaryCodec implements Codec {
    public static final String NAME = "bivouac.terminal.v1";

    static final int HEADER = 9;
    static final byte OUTPUT = 1;
    static final byte EXIT = 2;
    static final byte ERROR = 3;
    static final byte GAP = 4;
    static final byte CONTROL = 5;
    static final byte SEALED = 6;
    static final byte SCREEN = 7;
    static final byte STDERR = 8;
    static final byte INPUT = 65;
    static final byte RESIZE = 66;
    static final byte SIGNAL = 67;
    static final byte CREDIT = 68;
    static final byte CLIENT_CONTROL = 69;
    static final byte CLIENT_SEALED = 70;

    private final JsonMapper json;

    public BinaryCodec(JsonMapper json) {
        this.json = json;
    }

    @Override
    public boolean isResumable() {
        return true;
    }

    @Override
    public FromClient read(byte[] frame) throws BadFrame {
        if (frame.length < HEADER) {
            throw new BadFrame("A frame has at least " + HEADER + " bytes.");
        }
        long number = ByteBuffer.wrap(frame, 1, Long.BYTES).getLong();
        return switch (frame[0]) {
            case INPUT -> {
                if (number < 0) {
                    throw new BadFrame("Sequences begin at 1.");
                }
                yield new FromClient.Input(
                        number, UnsafeByteOperations.unsafeWrap(frame, HEADER, frame.length - HEADER));
            }
            case RESIZE -> JsonFrame.parse(json, frame, HEADER).resize();
            case SIGNAL ->
                frame.length == HEADER
                        ? Signals.numbered(number)
                        : Signals.named(new String(frame, HEADER, frame.length - HEADER, StandardCharsets.UTF_8));
            case CREDIT -> {
                if (number < 1) {
                    throw new BadFrame("Credit is a number of bytes above 0.");
                }
                yield new FromClient.Credit(number);
            }
            case CLIENT_CONTROL -> control(JsonFrame.parse(json, frame, HEADER));
            case CLIENT_SEALED ->
                new FromClient.Sealed(number, UnsafeByteOperations.unsafeWrap(frame, HEADER, frame.length - HEADER));
            default -> throw new BadFrame("There is no frame of type " + frame[0] + ".");
        };
    }

    private static FromClient control(JsonFrame message) throws BadFrame {
        var type = message.text("type");
        return switch (type) {
            case "ping" -> new FromClient.Ping();
            case "resume" -> new FromClient.Resume(message.number("from"));
            case "end" -> new FromClient.EndOfInput();
            case PermissionJson.RESPONSE -> PermissionJson.read(message);
            default -> throw TextCodec.unknown(type);
        };
    }

    @Override
    public List<WebSocketFrame> write(ToClient message) {
        return List.of(
                switch (message) {
                    case ToClient.Output output ->
                        frame(output.stderr() ? STDERR : OUTPUT, output.offset(), output.data());
                    case ToClient.Screen screen -> frame(SCREEN, screen.offset(), screen.data());
                    case ToClient.Sealed sealed -> frame(SEALED, sealed.number(), sealed.data());
                    case ToClient.Exited exited -> object(EXIT, "\"exitCode\":" + exited.code());
                    case ToClient.Gap gap ->
                        object(
                                GAP,
                                "\"from\":" + gap.from() + ",\"to\":" + gap.to()
                                        + (gap.stderr() ? ",\"stream\":\"stderr\"" : ""));
                    case ToClient.Failed failed -> failed(failed);
                    case ToClient.Pong _ -> object(CONTROL, "\"type\":\"pong\"");
                    case ToClient.Applied applied ->
                        object(CONTROL, "\"type\":\"applied\",\"sequence\":" + applied.sequence());
                    case ToClient.Resized size ->
                        object(CONTROL, "\"type\":\"resized\",\"cols\":" + size.columns() + ",\"rows\":" + size.rows());
                    case ToClient.PermissionRequest request ->
                        control(PermissionJson.write(request, TextCodec.begin("permission_request", 0)));
                    case ToClient.PermissionResolved resolved ->
                        control(PermissionJson.write(resolved, TextCodec.begin("permission_resolved", 0)));
                    case ToClient.Attached attached -> object(CONTROL, describe(attached));
                });
    }

    private static String describe(ToClient.Attached attached) {
        return "\"type\":\"attached\",\"terminal\":\"" + attached.terminal() + "\",\"role\":\"" + attached.role()
                + "\",\"source\":\"" + attached.source() + "\""
                + (attached.offset() < 0 ? "" : ",\"from\":" + attached.offset())
                + ",\"cols\":" + attached.columns() + ",\"rows\":" + attached.rows()
                + ",\"applied\":" + attached.applied();
    }

    private static WebSocketFrame failed(ToClient.Failed failed) {
        var written = new JsonBytes(64)
                .raw("{\"code\":" + failed.code().number() + ",\"name\":\"")
                .raw(failed.code().name())
                .raw("\",\"message\":\"")
                .escaped(failed.message())
                .raw("\"");
        for (Map.Entry<String, Object> detail : failed.details().entrySet()) {
            written.raw(",\"")
                    .escaped(detail.getKey())
                    .raw("\":\"")
                    .escaped(String.valueOf(detail.getValue()))
                    .raw("\"");
        }
        return frame(ERROR, written.raw("}").done());
    }

    private static WebSocketFrame control(JsonBytes written) {
        return frame(CONTROL, written.raw("}").done());
    }

    private static WebSocketFrame object(byte type, String fields) {
        return frame(type, Unpooled.wrappedBuffer(("{" + fields + "}").getBytes(StandardCharsets.UTF_8)));
    }

    private static WebSocketFrame frame(byte type, ByteBuf payload) {
        return new BinaryWebSocketFrame(Unpooled.wrappedBuffer(header(type, 0), payload));
    }

    private static WebSocketFrame frame(byte type, long number, ByteString data) {
        return new BinaryWebSocketFrame(
                Unpooled.wrappedBuffer(header(type, number), Unpooled.wrappedBuffer(data.asReadOnlyByteBuffer())));
    }

    private static ByteBuf header(byte type, long number) {
        return Unpooled.wrappedBuffer(
                ByteBuffer.allocate(HEADER).put(type).putLong(number).flip());
    }
}
