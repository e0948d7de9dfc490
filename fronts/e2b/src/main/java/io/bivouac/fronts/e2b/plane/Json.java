package io.bivouac.fronts.e2b.plane;

import io.micronaut.core.annotation.Nullable;
import io.micronaut.json.tree.JsonNode;
import java.util.LinkedHashMap;
import java.util.Map;

/** Builds and reads JSON without a class for each message. */
final class Json {
    static final JsonNode EMPTY = JsonNode.createObjectNode(Map.of());

    private Json() {}

    static JsonNode of(String name, JsonNode value) {
        return JsonNode.createObjectNode(Map.of(name, value));
    }

    static JsonNode of(Map<String, ?> fields) {
        var nodes = new LinkedHashMap<String, JsonNode>();
        fields.forEach((name, value) -> nodes.put(name, node(value)));
        return JsonNode.createObjectNode(nodes);
    }

    private static JsonNode node(Object value) {
        return switch (value) {
            case JsonNode node -> node;
            case Integer number -> JsonNode.createNumberNode(number);
            case Long number -> JsonNode.createNumberNode(number);
            case Boolean flag -> JsonNode.createBooleanNode(flag);
            default -> JsonNode.createStringNode(value.toString());
        };
    }

    static @Nullable JsonNode at(@Nullable JsonNode object, String name) {
        var found = object == null ? null : object.get(name);
        return found == null || found.isNull() ? null : found;
    }

    static @Nullable String text(@Nullable JsonNode object, String name) {
        var found = at(object, name);
        return found == null ? null : found.coerceStringValue();
    }

    static boolean flag(JsonNode object, String name) {
        var found = at(object, name);
        return found != null && found.isBoolean() && found.getBooleanValue();
    }

    /** Numbers of 64 bits may come as strings; zero where there is none. */
    static int number(@Nullable JsonNode object, String name) {
        var found = text(object, name);
        return found == null || !found.matches("-?\\d{1,9}") ? 0 : Integer.parseInt(found);
    }
}
