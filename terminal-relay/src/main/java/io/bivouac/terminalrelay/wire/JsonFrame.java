package io.bivouac.terminalrelay.wire;

import io.micronaut.json.JsonMapper;
import io.micronaut.json.tree.JsonNode;
import java.io.IOException;
import java.util.Base64;

/** A JSON object that a client sent, read field by field. */
record JsonFrame(JsonNode fields) {
    static final int LARGEST_SIZE = 1000;

    static JsonFrame parse(JsonMapper json, byte[] frame, int from) throws BadFrame {
        try {
            var bytes = from == 0 ? frame : java.util.Arrays.copyOfRange(frame, from, frame.length);
            var node = json.readValue(bytes, JsonNode.class);
            if (node == null || !node.isObject()) {
                throw new BadFrame("A message is a JSON object.");
            }
            return new JsonFrame(node);
        } catch (IOException | RuntimeException malformed) {
            throw new BadFrame("This is not JSON.");
        }
    }

    String text(String field) throws BadFrame {
        var value = fields.get(field);
        if (value == null || !value.isString()) {
            throw new BadFrame(field + " must be text.");
        }
        return value.getStringValue();
    }

    byte[] base64(String field) throws BadFrame {
        try {
            return Base64.getDecoder().decode(text(field));
        } catch (IllegalArgumentException malformed) {
            throw new BadFrame(field + " must be base64.");
        }
    }

    boolean has(String field) {
        var value = fields.get(field);
        return value != null && !value.isNull();
    }

    boolean truth(String field) throws BadFrame {
        var value = fields.get(field);
        if (value == null || !value.isBoolean()) {
            throw new BadFrame(field + " must be true or false.");
        }
        return value.getBooleanValue();
    }

    long number(String field) throws BadFrame {
        var value = fields.get(field);
        if (value == null || !value.isNumber()) {
            throw new BadFrame(field + " must be a number.");
        }
        double exact = value.getDoubleValue();
        if (exact != Math.rint(exact) || exact < 0 || exact > (1L << 53)) {
            throw new BadFrame(field + " must be a whole number.");
        }
        return (long) exact;
    }

    FromClient.Resize resize() throws BadFrame {
        long columns = number("cols");
        long rows = number("rows");
        if (columns < 1 || columns > LARGEST_SIZE || rows < 1 || rows > LARGEST_SIZE) {
            throw new BadFrame("cols and rows must be between 1 and " + LARGEST_SIZE + ".");
        }
        return new FromClient.Resize((int) columns, (int) rows);
    }
}
