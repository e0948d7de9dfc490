package io.bivouac.functions.docs;

import static io.bivouac.functions.docs.Tree.inside;
import static io.bivouac.functions.docs.Tree.list;
import static io.bivouac.functions.docs.Tree.map;

import io.bivouac.foundation.paging.Page;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Adds to a description what holds for every operation and is said at none: it is not in Java's types. */
final class Refinements {
    private static final String SCHEMAS = "#/components/schemas/";

    private final Map<String, Object> schemas;
    private final Set<Object> closed = new HashSet<>();

    private Refinements(Map<String, Object> schemas) {
        this.schemas = schemas;
    }

    static void addTo(Map<String, Object> description) {
        var refinements = new Refinements(inside(inside(description, "components"), "schemas"));
        // The class's own fields say nothing about the JSON that it stands for.
        refinements.schemas.put("JsonNode", new LinkedHashMap<>(Map.of("description", "any JSON")));
        inside(description, "paths").forEach((path, operations) -> {
            for (var operation : map(operations).values()) {
                refinements.refine(path, map(operation));
            }
        });
    }

    /** Whether requests to this path are logged in; see the filters' paths. */
    static boolean needsLogin(String path) {
        return path.startsWith("/api/") || path.startsWith("/-/");
    }

    private void refine(String path, Map<String, Object> operation) {
        if (!needsLogin(path)) {
            operation.put("security", List.of());
        }
        for (var parameter : list(operation.get("parameters"))) {
            refine(map(parameter));
        }
        for (var content : map(map(operation.get("requestBody")).get("content")).values()) {
            close(map(map(content).get("schema")));
        }
    }

    /** A parameter is there or not there; null is neither. Listings share their bounds. */
    private static void refine(Map<String, Object> parameter) {
        var schema = inside(parameter, "schema");
        schema.remove("nullable");
        if (parameter.get("in").equals("query") && parameter.get("name").equals("limit")) {
            schema.putIfAbsent("minimum", 1);
            schema.putIfAbsent("maximum", Page.LARGEST_LIMIT);
        }
        if (parameter.get("in").equals("query") && parameter.get("name").equals("cursor")) {
            parameter.putIfAbsent("description", "nextCursor of the page before");
        }
    }

    /**
     * A field that a request must have may not be null. An answer's may: nextCursor is, on the last page.
     * A schema may require a field whose description stands in another part of the same allOf.
     */
    private static void requiredIsNotNull(Map<String, Object> schema) {
        var properties = map(schema.get("properties"));
        for (var name : list(schema.get("required"))) {
            if (properties.get(name) instanceof Map<?, ?> property) {
                property.remove("nullable");
            }
        }
    }

    /** Requests with unknown fields are refused, at any depth. */
    private void close(Map<String, Object> schema) {
        if (schema.isEmpty()) {
            return;
        }
        var reference = schema.get("$ref");
        if (reference instanceof String name) {
            if (closed.add(name)) {
                close(map(schemas.get(name.substring(SCHEMAS.length()))));
            }
            return;
        }
        requiredIsNotNull(schema);
        var properties = map(schema.get("properties"));
        if (!properties.isEmpty()) {
            schema.putIfAbsent("additionalProperties", false);
        }
        properties.values().forEach(property -> close(map(property)));
        close(map(schema.get("items")));
        close(map(schema.get("additionalProperties")));
        for (var several : List.of("allOf", "oneOf")) {
            list(schema.get(several)).forEach(one -> close(map(one)));
        }
    }
}
