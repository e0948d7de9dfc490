package io.bivouac.fronts.mcp;

import io.bivouac.sandboxmodel.error.BivouacException;
import io.micronaut.core.annotation.Nullable;
import io.micronaut.json.tree.JsonNode;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The arguments of a tool's call, each looked at as what it has to be. */
record Arguments(@Nullable JsonNode given) {
    /** Refuses names that the tool does not have: a misspelt argument would be ignored. */
    void mustBeAmong(Set<String> names) {
        if (given == null || given.isNull()) {
            return;
        }
        if (!given.isObject()) {
            throw BivouacException.invalidRequest("arguments must be an object.");
        }
        for (var entry : given.entries()) {
            if (!names.contains(entry.getKey())) {
                throw BivouacException.invalidRequest("There is no argument " + entry.getKey() + "; there are "
                        + String.join(", ", names.stream().sorted().toList()) + ".");
            }
        }
    }

    private @Nullable JsonNode at(String name) {
        var found = given == null || !given.isObject() ? null : given.get(name);
        return found == null || found.isNull() ? null : found;
    }

    @Nullable String text(String name) {
        var found = at(name);
        if (found != null && !found.isString()) {
            throw BivouacException.invalidRequest(name + " must be a string.");
        }
        return found == null ? null : found.getStringValue();
    }

    String needed(String name) {
        var text = text(name);
        if (text == null || text.isEmpty()) {
            throw BivouacException.invalidRequest(name + " is missing.");
        }
        return text;
    }

    boolean flag(String name) {
        var found = at(name);
        if (found != null && !found.isBoolean()) {
            throw BivouacException.invalidRequest(name + " must be true or false.");
        }
        return found != null && found.getBooleanValue();
    }

    @Nullable Long whole(String name) {
        var number = number(name);
        try {
            return number == null ? null : number.longValueExact();
        } catch (ArithmeticException fraction) {
            throw BivouacException.invalidRequest(name + " must be a whole number.");
        }
    }

    /** A whole number within bounds. */
    long whole(String name, long least, long most, long otherwise) {
        var number = whole(name);
        if (number != null && (number < least || number > most)) {
            throw BivouacException.invalidRequest(name + " must be between " + least + " and " + most + ".");
        }
        return number == null ? otherwise : number;
    }

    @Nullable BigDecimal number(String name) {
        var found = at(name);
        if (found != null && !found.isNumber()) {
            throw BivouacException.invalidRequest(name + " must be a number.");
        }
        return found == null ? null : found.getBigDecimalValue();
    }

    @Nullable Map<String, String> texts(String name) {
        var found = at(name);
        if (found == null) {
            return null;
        }
        if (!found.isObject()) {
            throw BivouacException.invalidRequest(name + " must be an object.");
        }
        var texts = new HashMap<String, String>();
        found.entries().forEach(entry -> texts.put(entry.getKey(), string(name, entry.getValue())));
        return texts;
    }

    @Nullable List<String> list(String name) {
        var found = at(name);
        if (found == null) {
            return null;
        }
        if (!found.isArray()) {
            throw BivouacException.invalidRequest(name + " must be an array.");
        }
        var texts = new ArrayList<String>();
        found.values().forEach(value -> texts.add(string(name, value)));
        return texts;
    }

    private static String string(String name, JsonNode value) {
        if (!value.isString()) {
            throw BivouacException.invalidRequest(name + " must hold strings.");
        }
        return value.getStringValue();
    }
}
