package io.bivouac.http;

import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The framework's complaints about a request in the API's own terms: no class names, no parser's tokens. */
final class FrameworkWords {
    private static final Pattern PLACE = Pattern.compile("\\s*at \\[Source:[^\\]]*line: (\\d+), column: (\\d+)\\]");
    private static final Pattern UNKNOWN_FIELD = Pattern.compile("Unknown property \\[([^\\]]*)\\]");
    private static final Pattern WRONG_TOKEN = Pattern.compile("Unexpected token (\\w+), expected (\\w+)");
    private static final Pattern WRONG_VALUE = Pattern.compile("Unable to coerce \\w+ to (\\w+)");
    private static final Pattern WRONG_TYPE =
            Pattern.compile("((?:An item of \\w+|\\w+|A value inside) must be .+, but is .+)", Pattern.DOTALL);
    private static final Pattern PARAMETER =
            Pattern.compile("Failed to convert argument \\[(\\w+)\\] for value \\[(.+?)\\] due to: ", Pattern.DOTALL);
    private static final Pattern MISSING = Pattern.compile("Required \\w+ \\[(\\w+)\\] not specified");
    private static final String NOT_JSON = "Invalid JSON: ";
    private static final String CUT_OFF = "Unexpected end-of-input";
    private static final String NO_VALUE = "null";
    private static final String NO_NUMBER = "For input string";
    private static final Pattern WRONG_METHOD =
            Pattern.compile("Method \\[(\\w+)\\] not allowed for URI .*Allowed methods: \\[(.*)\\]");
    private static final Pattern WRONG_MEDIA_TYPE =
            Pattern.compile("Content Type \\[(.*?)\\] not allowed. Allowed types: \\[(.*)\\]");
    private static final Pattern TOO_LONG =
            Pattern.compile("content length \\[\\d+\\] exceeds the maximum allowed \\w+ length \\[(\\d+)\\]");
    private static final String JSON = "application/json";
    private static final double MEBIBYTE = 1 << 20;

    private static final Map<String, String> THINGS = Map.of(
            "START_OBJECT", "an object",
            "START_ARRAY", "an array",
            "VALUE_STRING", "a string",
            "VALUE_NUMBER_INT", "a whole number",
            "VALUE_NUMBER_FLOAT", "a number",
            "VALUE_TRUE", "true",
            "VALUE_FALSE", "false",
            "VALUE_NULL", "null",
            "END_OBJECT", "the end of the object",
            "END_ARRAY", "the end of the array");

    private FrameworkWords() {}

    static String ours(String message) {
        var place = PLACE.matcher(message);
        var where = place.find() ? " at line " + place.group(1) + ", column " + place.group(2) : "";
        var said = place.replaceAll("").strip();
        if (said.startsWith(NOT_JSON + CUT_OFF)) {
            return "The body is not valid JSON: it ends too early%s.".formatted(where);
        }
        if (said.startsWith(NOT_JSON)) {
            return "The body is not valid JSON%s: %s".formatted(where, ended(said.substring(NOT_JSON.length())));
        }
        var type = WRONG_TYPE.matcher(said);
        if (type.find()) {
            return ended(type.group(1));
        }
        var token = WRONG_TOKEN.matcher(said);
        if (token.find()) {
            return "Expected %s%s, but found %s.".formatted(thing(token.group(2)), where, thing(token.group(1)));
        }
        var value = WRONG_VALUE.matcher(said);
        if (value.find()) {
            return "Expected %s%s.".formatted(kind(value), where);
        }
        return ofParameter(said);
    }

    static Optional<String> unknownField(String message) {
        var unknown = UNKNOWN_FIELD.matcher(message);
        return unknown.find() ? Optional.of(unknown.group(1)) : Optional.empty();
    }

    /** {@code an object, but is an array}. */
    static Optional<String> wrongShape(String message) {
        var token = WRONG_TOKEN.matcher(message);
        return token.find()
                ? Optional.of(thing(token.group(2)) + ", but is " + thing(token.group(1)))
                : Optional.empty();
    }

    /** About the request's head, before a body or parameter is read. */
    private static Optional<String> ofHead(String said) {
        var method = WRONG_METHOD.matcher(said);
        if (method.find()) {
            var allowed = Stream.of(method.group(2).split(", "))
                    .filter(name -> !name.equals("HEAD"))
                    .sorted()
                    .collect(Collectors.joining(" or "));
            return Optional.of("%s is not possible here; use %s.".formatted(method.group(1), allowed));
        }
        var type = WRONG_MEDIA_TYPE.matcher(said);
        if (type.find()) {
            return Optional.of(
                    type.group(2).equals(JSON)
                            ? "Send JSON: add the header Content-Type: " + JSON + "."
                            : "The body must be %s, but is %s.".formatted(type.group(2), type.group(1)));
        }
        var length = TOO_LONG.matcher(said);
        if (length.find()) {
            // How much was to come is not always known: it is refused as soon as it is too much.
            return Optional.of("The body is larger than %.0f MiB, the most that is accepted here."
                    .formatted(Long.parseLong(length.group(1)) / MEBIBYTE));
        }
        return Optional.empty();
    }

    private static String ofParameter(String said) {
        var head = ofHead(said);
        if (head.isPresent()) {
            return head.get();
        }
        var missing = MISSING.matcher(said);
        if (missing.find()) {
            return said.startsWith("Required Body") ? "The request needs a body." : missing.group(1) + " is missing.";
        }
        var parameter = PARAMETER.matcher(said);
        if (parameter.find() && !parameter.group(2).equals(NO_VALUE)) {
            return (said.contains(NO_NUMBER) ? "%s must be a whole number, not \"%s\"." : "%s cannot be \"%s\".")
                    .formatted(parameter.group(1), parameter.group(2));
        }
        return ended(said);
    }

    private static String kind(Matcher value) {
        return switch (value.group(1)) {
            case "double", "float" -> "a number";
            case "int", "integer", "long", "short" -> "a whole number";
            case "boolean" -> "true or false";
            default -> "a " + value.group(1);
        };
    }

    private static String thing(String token) {
        return THINGS.getOrDefault(token, token);
    }

    private static String ended(String sentence) {
        return sentence.endsWith(".") ? sentence : sentence + ".";
    }
}
