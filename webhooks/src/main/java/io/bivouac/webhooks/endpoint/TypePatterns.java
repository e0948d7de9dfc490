package io.bivouac.webhooks.endpoint;

import io.bivouac.events.EventType;
import io.bivouac.sandboxmodel.error.BivouacException;
import io.bivouac.sandboxmodel.error.ErrorCode;
import io.micronaut.core.annotation.Nullable;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** Which events an endpoint wants: {@code sandbox.running}, all of {@code sandbox.*}, or {@code *}. Immutable. */
public record TypePatterns(List<String> patterns) {
    private static final String ALL = "*";
    private static final String FAMILY = ".*";
    private static final int MOST = 50;
    private static final Set<String> FAMILIES = Arrays.stream(EventType.values())
            .map(type -> type.wireName().substring(0, type.wireName().indexOf('.')) + FAMILY)
            .collect(Collectors.toUnmodifiableSet());

    public TypePatterns {
        patterns = List.copyOf(patterns);
    }

    /** What a request asks for; nothing means everything. */
    static TypePatterns asked(@Nullable List<String> asked) {
        if (asked == null) {
            return new TypePatterns(List.of(ALL));
        }
        if (asked.isEmpty() || asked.size() > MOST) {
            throw refused("types must name 1 to " + MOST + " types; leave it out for all.");
        }
        asked.forEach(TypePatterns::check);
        return new TypePatterns(List.copyOf(new LinkedHashSet<>(asked)));
    }

    private static void check(@Nullable String pattern) {
        if (pattern == null
                || !(pattern.equals(ALL)
                        || FAMILIES.contains(pattern)
                        || EventType.ofWireName(pattern).isPresent())) {
            // A misspelt type would wait for ever.
            throw refused("There are no events of type '" + pattern + "'.");
        }
    }

    static TypePatterns stored(String text) {
        return new TypePatterns(List.of(text.split(",")));
    }

    String stored() {
        return String.join(",", patterns);
    }

    public boolean match(String type) {
        for (var pattern : patterns) {
            if (pattern.equals(ALL)
                    || pattern.equals(type)
                    || (pattern.endsWith(FAMILY) && type.startsWith(pattern.substring(0, pattern.length() - 1)))) {
                return true;
            }
        }
        return false;
    }

    private static BivouacException refused(String detail) {
        return new BivouacException(ErrorCode.INVALID_REQUEST, detail);
    }
}
