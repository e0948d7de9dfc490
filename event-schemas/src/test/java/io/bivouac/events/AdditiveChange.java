package io.bivouac.events;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What a receiver of the released schema would miss in the present one. Allowed are new properties, new
 * required ones, new values of an enumeration and new words; everything else a receiver may lean on.
 */
final class AdditiveChange {
    /** They say nothing about a value. */
    private static final Set<String> WORDS = Set.of("description", "title", "$comment", "examples");

    /** Patterns that take all that the released one took, and more: names of types may have hyphens since. */
    private static final Map<String, String> WIDENED = Map.of("^[a-z]+(\\.[a-z]+)+$", "^[a-z]+(\\.[a-z]+(-[a-z]+)*)+$");

    private final List<String> breaches = new ArrayList<>();

    private AdditiveChange() {}

    static List<String> breaches(JsonNode released, JsonNode present) {
        var change = new AdditiveChange();
        change.compare("", released, present);
        return change.breaches;
    }

    private void compare(String at, JsonNode released, JsonNode present) {
        var keywords = new HashSet<String>();
        released.fieldNames().forEachRemaining(keywords::add);
        present.fieldNames().forEachRemaining(keywords::add);
        keywords.removeAll(WORDS);
        for (var keyword : keywords) {
            var path = at + "/" + keyword;
            var before = released.path(keyword);
            var after = present.path(keyword);
            switch (keyword) {
                case "properties" -> properties(path, before, after);
                case "required", "enum" -> keepsAll(path, before, after);
                case "additionalProperties", "items" -> {
                    if (before.isObject() && after.isObject()) {
                        compare(path, before, after);
                    } else {
                        same(path, before, after);
                    }
                }
                case "pattern" -> {
                    if (!after.asText().equals(WIDENED.get(before.asText()))) {
                        same(path, before, after);
                    }
                }
                default -> same(path, before, after);
            }
        }
    }

    private void properties(String at, JsonNode released, JsonNode present) {
        released.properties().forEach(property -> {
            var after = present.path(property.getKey());
            if (after.isMissingNode()) {
                breaches.add(at + "/" + property.getKey() + " is gone");
            } else {
                compare(at + "/" + property.getKey(), property.getValue(), after);
            }
        });
    }

    private void keepsAll(String at, JsonNode released, JsonNode present) {
        var left = new HashSet<JsonNode>();
        present.forEach(left::add);
        released.forEach(value -> {
            if (!left.contains(value)) {
                breaches.add(at + " no longer has " + value);
            }
        });
    }

    private void same(String at, JsonNode released, JsonNode present) {
        if (!released.equals(present)) {
            breaches.add(at + " was " + released + " and is " + present);
        }
    }
}
