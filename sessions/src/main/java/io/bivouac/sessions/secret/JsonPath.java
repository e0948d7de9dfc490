package io.bivouac.sessions.secret;

import io.micronaut.json.tree.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The part of JSONPath (RFC 9535) that names one value: member names and indexes. Anything that can mean several is
 * refused: which of them would be handed over?
 */
record JsonPath(List<String> steps) {
    private static final int LONGEST = 256;
    private static final Pattern STEP = Pattern.compile(
            "\\.(?<name>[A-Za-z_\\x{80}-\\x{10FFFF}][\\w\\x{80}-\\x{10FFFF}-]*)|\\[(?<index>\\d{1,4})]|\\[(?:'(?<single>[^'\\\\]*)'|\"(?<double>[^\"\\\\]*)\")]");

    /** Nothing when it is no such path. */
    static Optional<JsonPath> parse(String text) {
        if (!text.startsWith("$") || text.length() > LONGEST) {
            return Optional.empty();
        }
        var steps = new ArrayList<String>();
        var matcher = STEP.matcher(text);
        int end = 1;
        while (end < text.length()) {
            if (!matcher.find(end) || matcher.start() != end) {
                return Optional.empty();
            }
            steps.add(first(
                    matcher.group("name"), matcher.group("index"), matcher.group("single"), matcher.group("double")));
            end = matcher.end();
        }
        return Optional.of(new JsonPath(steps));
    }

    private static String first(String... choices) {
        for (var choice : choices) {
            if (choice != null) {
                return choice;
            }
        }
        throw new IllegalStateException("a step that is none");
    }

    /** The text, number or truth value there; nothing when there is none. */
    Optional<String> in(JsonNode document) {
        var at = document;
        for (var step : steps) {
            if (at.isArray() && step.matches("\\d{1,4}")) {
                at = at.get(Integer.parseInt(step));
            } else {
                at = at.isObject() ? at.get(step) : null;
            }
            if (at == null) {
                return Optional.empty();
            }
        }
        return at.isString() || at.isNumber() || at.isBoolean()
                ? Optional.of(at.coerceStringValue())
                : Optional.empty();
    }
}
