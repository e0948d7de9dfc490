package io.bivouac.functions.docs;

import static io.bivouac.functions.docs.Tree.inside;
import static io.bivouac.functions.docs.Tree.list;
import static io.bivouac.functions.docs.Tree.map;
import static io.bivouac.functions.docs.Tree.ordered;

import io.bivouac.sandboxmodel.error.ErrorCode;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Adds to every operation of a description the errors that it answers with, from the table of errors. */
final class ProblemResponses {
    private static final String NAME = "Problem";

    private ProblemResponses() {}

    /** @param refusals by operationId: the errors that only the operation itself knows of */
    static void addTo(Map<String, Object> description, Map<String, Set<ErrorCode>> refusals) {
        var components = inside(description, "components");
        inside(components, "schemas").put(NAME, problem());
        var responses = inside(components, "responses");
        Stream.of(ErrorCode.values())
                .collect(Collectors.groupingBy(ErrorCode::httpStatus))
                .forEach((status, codes) -> responses.put(NAME + status, response(codes)));
        inside(description, "paths")
                .forEach((path, operations) ->
                        map(operations).forEach((method, operation) -> addTo(path, method, map(operation), refusals)));
    }

    private static void addTo(
            String path, String method, Map<String, Object> operation, Map<String, Set<ErrorCode>> refusals) {
        var errors = ofShape(path, method, operation);
        errors.addAll(refusals.getOrDefault(String.valueOf(operation.get("operationId")), Set.of()));
        var responses = inside(operation, "responses");
        // One map for each: the writer of YAML would make an alias of one that is shared.
        errors.stream()
                .map(ErrorCode::httpStatus)
                .distinct()
                .sorted()
                .forEach(status -> responses.putIfAbsent(
                        status.toString(), ordered("$ref", "#/components/responses/" + NAME + status)));
    }

    private static Set<ErrorCode> ofShape(String path, String method, Map<String, Object> operation) {
        // The host header is checked wherever the request goes.
        var errors = EnumSet.of(ErrorCode.FORBIDDEN);
        boolean names = path.contains("{");
        if (Refinements.needsLogin(path)) {
            errors.addAll(EnumSet.of(ErrorCode.UNAUTHORIZED, ErrorCode.RATE_LIMITED, ErrorCode.UNAVAILABLE));
        }
        if (!list(operation.get("parameters")).isEmpty()) {
            errors.add(ErrorCode.INVALID_REQUEST);
        }
        if (operation.containsKey("requestBody")) {
            errors.addAll(EnumSet.of(ErrorCode.INVALID_REQUEST, ErrorCode.TOO_LARGE, ErrorCode.UNSUPPORTED_MEDIA_TYPE));
        }
        if (names) {
            errors.add(ErrorCode.NOT_FOUND);
        }
        if (names && !method.equals("get")) {
            errors.add(ErrorCode.CONFLICT);
        }
        if (map(operation.get("responses")).values().stream()
                .anyMatch(response -> map(response).containsKey("content"))) {
            errors.add(ErrorCode.NOT_ACCEPTABLE);
        }
        return errors;
    }

    private static Map<String, Object> response(List<ErrorCode> codes) {
        var content =
                ordered("application/problem+json", ordered("schema", ordered("$ref", "#/components/schemas/" + NAME)));
        return ordered(
                "description",
                codes.stream().map(ErrorCode::name).collect(Collectors.joining(", ")),
                "content",
                content);
    }

    private static Map<String, Object> problem() {
        return ordered(
                "type",
                "object",
                "description",
                "An error (RFC 9457)",
                "required",
                List.of("type", "title", "status", "code", "name", "detail"),
                "properties",
                ordered(
                        "type", ordered("type", "string"),
                        "title", ordered("type", "string"),
                        "status", oneOf("integer", ErrorCode::httpStatus),
                        "code", oneOf("integer", ErrorCode::number),
                        "name", oneOf("string", ErrorCode::name),
                        "detail", ordered("type", "string"),
                        "details", ordered("type", "object", "additionalProperties", true)));
    }

    private static Map<String, Object> oneOf(String type, Function<ErrorCode, Object> part) {
        return ordered(
                "type",
                type,
                "enum",
                Arrays.stream(ErrorCode.values()).map(part).distinct().sorted().toList());
    }
}
