package io.bivouac.sandboxio.code;

import com.google.protobuf.ByteString;
import io.bivouac.foundation.memory.Holding;
import io.bivouac.sandboxmodel.error.BivouacException;
import io.bivouac.sandboxmodel.error.ErrorCode;
import io.micronaut.core.annotation.Nullable;
import io.micronaut.json.JsonMapper;
import io.micronaut.json.tree.JsonNode;
import java.io.IOException;

/** Puts results together that come in pieces, within the memory budget. Used by one thread at a time. */
final class ResultPieces {
    /** Of one result in all its forms; the agent's own bound is the same. */
    private static final int LARGEST = 16 * 1024 * 1024;

    private final JsonMapper json;
    private final Holding room;
    private ByteString come = ByteString.EMPTY;

    ResultPieces(JsonMapper json, Holding room) {
        this.json = json;
        this.room = room;
    }

    /** The whole result with its last piece, null before. */
    @Nullable CodeEvent.Result add(String id, ByteString piece, boolean last) {
        if (come.size() + piece.size() > LARGEST) {
            throw new BivouacException(ErrorCode.UNAVAILABLE, "The sandbox's agent sends more than a result may have.");
        }
        if (!room.take(piece.size())) {
            throw room.refusal();
        }
        come = come.concat(piece);
        if (!last) {
            return null;
        }
        var whole = come;
        come = ByteString.EMPTY;
        var result = read(id, whole);
        room.settle(0);
        return result;
    }

    private CodeEvent.Result read(String id, ByteString whole) {
        try {
            var node = json.readValue(whole.toByteArray(), JsonNode.class);
            var bundle = node == null ? null : node.get("mimeBundle");
            if (bundle == null || !bundle.isObject()) {
                throw CodeFailures.lost("The sandbox's agent sent a result without its forms.");
            }
            var main = node.get("main");
            var chart = node.get("chart");
            return new CodeEvent.Result(
                    id,
                    main != null && main.isBoolean() && main.getBooleanValue(),
                    bundle,
                    chart != null && chart.isObject() ? chart : null);
        } catch (IOException noJson) {
            throw new BivouacException(
                    ErrorCode.UNAVAILABLE, "The sandbox's agent sent a result that is no JSON.", noJson);
        }
    }

    void close() {
        room.close();
    }
}
