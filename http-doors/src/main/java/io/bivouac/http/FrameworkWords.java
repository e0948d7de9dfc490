package io.bivouac.http;

import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The framework's complaints about a request in the API's own terms: no class names, no parser's tokens. */
final class FrameworkWords {
    private static final Pattern PLACE = Pattern.compile("\\s*at \\[Source:[^\\]]*line: (\\d+), column: (\\d+)\\]");
    private static final Pattern UNKNOWN_FIELD = Pattern.compile("Unknown property \\[([^\\]]*)\\]");
    private static final Pattern WRONG_TOKEN = Pattern.compile("Unexpected token (\\w+), expected (\\w+)");
    private static final Pattern WRONG_VALUE = Pattern.compile("Unable to coerce \\w+ to (\\w+)");
    private static final Pattern WRONG_TYPE =
            Pattern.compile("((?:\\w+|A value inside) must be .+, but is .+)", Pattern.DOTALL);
    private static final Pattern PARAMETER =
            Pattern.compile("Failed to convert argument \\[(\\w+)\\] for value \\[(.+?)\\] due to: ", Pattern.DOTALL);
    private static final Pattern MISSING = Pattern.compile("Required \\w+ \\[(\\w+)\\] not specified");
    private static final String NOT_JSON = "Invalid JSON: ";
    private static final String NO_VALUE = "null";

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
        if (said.startsWith(NOT_JSON)) {
            return "The body is not JSON%s: %s".formatted(where, ended(said.substring(NOT_JSON.length())));
        }
        var unknown = UNKNOWN_FIELD.matcher(said);
        if (unknown.find()) {
            return "Unknown field \"" + unknown.group(1) + "\".";
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

    private static String ofParameter(String said) {
        var missing = MISSING.matcher(said);
        if (missing.find()) {
            return said.startsWith("Required Body") ? "The request needs a body." : missing.group(1) + " is missing.";
        }
        var parameter = PARAMETER.matcher(said);
        if (parameter.find() && !parameter.group(2).equals(NO_VALUE)) {
            return "%s cannot be \"%s\".".formatted(parameter.group(1), parameter.group(2));
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
