package io.bivouac.functions.docs;

import io.bivouac.sandboxmodel.error.ErrorCode;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;

/** Adds to every operation of a description what an error looks like, from the table of errors. */
final class ProblemResponses {
    private ProblemResponses() {}

    static void addTo(Map<String, Object> description) {
        var components = inside(description, "components");
        inside(components, "schemas").put("Problem", problem());
        inside(components, "responses").put("Problem", response());
        for (var path : inside(description, "paths").values()) {
            for (var operation : map(path).values()) {
                if (operation instanceof Map<?, ?>) {
                    // One map for each: the writer of YAML would make an alias of one that is shared.
                    inside(map(operation), "responses")
                            .putIfAbsent(
                                    "default", new LinkedHashMap<>(Map.of("$ref", "#/components/responses/Problem")));
                }
            }
        }
    }

    private static Map<String, Object> response() {
        var content =
                Map.of("application/problem+json", Map.of("schema", Map.of("$ref", "#/components/schemas/Problem")));
        return ordered("description", "Refused or failed; the code says why", "content", content);
    }

    private static Map<String, Object> problem() {
        var errors = ErrorCode.values();
        var properties = ordered(
                "type", Map.of("type", "string"),
                "title", Map.of("type", "string"),
                "status",
                        ordered(
                                "type",
                                "integer",
                                "enum",
                                Arrays.stream(errors)
                                        .map(ErrorCode::httpStatus)
                                        .distinct()
                                        .sorted()
                                        .toList()),
                "code",
                        ordered(
                                "type",
                                "integer",
                                "enum",
                                Arrays.stream(errors).map(ErrorCode::number).toList()),
                "name",
                        ordered(
                                "type",
                                "string",
                                "enum",
                                Arrays.stream(errors).map(ErrorCode::name).toList()),
                "detail", Map.of("type", "string"),
                "details", ordered("type", "object", "additionalProperties", true));
        return ordered(
                "type",
                "object",
                "description",
                "An error (RFC 9457)",
                "required",
                java.util.List.of("type", "title", "status", "code", "name", "detail"),
                "properties",
                properties);
    }

    private static Map<String, Object> ordered(Object... pairs) {
        var ordered = new LinkedHashMap<String, Object>();
        for (int i = 0; i < pairs.length; i += 2) {
            ordered.put((String) pairs[i], pairs[i + 1]);
        }
        return ordered;
    }

    private static Map<String, Object> inside(Map<String, Object> outer, String key) {
        return map(outer.computeIfAbsent(key, _ -> new LinkedHashMap<String, Object>()));
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> map(Object value) {
        return (Map<String, Object>) value;
    }
}
