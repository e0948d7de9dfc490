package io.bivouac.fronts.e2b.plane;

import io.bivouac.sandboxmodel.error.BivouacException;
import io.micronaut.json.JsonMapper;
import io.micronaut.json.tree.JsonNode;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.Arrays;

/** Messages of a stream: one byte of flags, four of length, and JSON. Thread-safe. */
@Singleton
class Envelopes {
    private static final int HEAD = 5;
    private static final int MESSAGE = 0;
    private static final int END = 2;

    private final JsonMapper json;

    Envelopes(JsonMapper json) {
        this.json = json;
    }

    ByteBuf message(JsonNode message) {
        return envelope(MESSAGE, message);
    }

    ByteBuf end() {
        return envelope(END, Json.EMPTY);
    }

    ByteBuf end(JsonNode error) {
        return envelope(END, Json.of("error", error));
    }

    private ByteBuf envelope(int flags, JsonNode message) {
        var bytes = written(message);
        return Unpooled.buffer(HEAD + bytes.length)
                .writeByte(flags)
                .writeInt(bytes.length)
                .writeBytes(bytes);
    }

    byte[] written(JsonNode message) {
        try {
            return json.writeValueAsBytes(message);
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
    }

    JsonNode read(byte[] bytes) {
        try {
            return json.readValue(bytes, JsonNode.class);
        } catch (IOException notJson) {
            throw BivouacException.invalidRequest("The message is not JSON.");
        }
    }

    /** The one message of a request that is answered by a stream. */
    JsonNode readFirst(byte[] body) {
        int length = body.length < HEAD
                ? -1
                : ByteBuffer.wrap(body, 1, Integer.BYTES).getInt();
        if (length < 0 || length > body.length - HEAD || body[0] != MESSAGE) {
            throw BivouacException.invalidRequest("The body is not an envelope without compression.");
        }
        return read(Arrays.copyOfRange(body, HEAD, HEAD + length));
    }
}
