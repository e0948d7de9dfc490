package io.bivouac.fronts.mcp;

import io.micronaut.json.JsonMapper;
import io.micronaut.json.tree.JsonNode;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;

/** Messages of JSON-RPC 2.0, as JSON and as server-sent events. Thread-safe. */
@Singleton
class Messages {
    static final int PARSE_ERROR = -32700;
    static final int INVALID_REQUEST = -32600;
    static final int METHOD_NOT_FOUND = -32601;
    static final int INVALID_PARAMS = -32602;
    static final int INTERNAL_ERROR = -32603;

    /** What the protocol says for a resource that is not there. */
    static final int RESOURCE_NOT_FOUND = -32002;

    private static final byte[] START = "event: message\ndata: ".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] END = "\n\n".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] COMMENT = ": \n\n".getBytes(StandardCharsets.US_ASCII);

    private final JsonMapper json;

    Messages(JsonMapper json) {
        this.json = json;
    }

    static Map<String, Object> response(JsonNode id, Object result) {
        var message = begun();
        message.put("id", id);
        message.put("result", result);
        return message;
    }

    /** @param id null's node for a request whose id is not known */
    static Map<String, Object> error(JsonNode id, int code, String words) {
        var message = begun();
        message.put("id", id);
        message.put("error", Map.of("code", code, "message", words));
        return message;
    }

    static Map<String, Object> notification(String method, Map<String, Object> params) {
        var message = begun();
        message.put("method", method);
        message.put("params", params);
        return message;
    }

    private static Map<String, Object> begun() {
        var message = new LinkedHashMap<String, Object>();
        message.put("jsonrpc", "2.0");
        return message;
    }

    byte[] written(Map<String, Object> message) {
        try {
            return json.writeValueAsBytes(Trees.of(message));
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
    }

    ByteBuf event(Map<String, Object> message) {
        return Unpooled.wrappedBuffer(START, written(message), END);
    }

    /** Says nothing but that the stream is alive. */
    ByteBuf comment() {
        return Unpooled.wrappedBuffer(COMMENT);
    }
}
