package io.bivouac.fronts.mcp;

import io.micronaut.core.annotation.Nullable;
import io.micronaut.json.tree.JsonNode;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Makes JSON of maps, lists, texts, numbers and flags; what is JSON already stays as it is. */
final class Trees {
    private Trees() {}

    static JsonNode of(@Nullable Object value) {
        return switch (value) {
            case null -> JsonNode.nullNode();
            case JsonNode node -> node;
            case Map<?, ?> map -> object(map);
            case List<?> list ->
                JsonNode.createArrayNode(list.stream().map(Trees::of).toList());
            case Integer number -> JsonNode.createNumberNode(number);
            case Long number -> JsonNode.createNumberNode(number);
            case Boolean flag -> JsonNode.createBooleanNode(flag);
            default -> JsonNode.createStringNode(value.toString());
        };
    }

    private static JsonNode object(Map<?, ?> map) {
        var nodes = new LinkedHashMap<String, JsonNode>();
        map.forEach((name, value) -> nodes.put(name.toString(), of(value)));
        return JsonNode.createObjectNode(nodes);
    }
}
