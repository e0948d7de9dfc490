package io.bivouac.functions.event;

import io.bivouac.events.EventType;
import io.bivouac.sandboxmodel.error.BivouacException;
import io.bivouac.sandboxmodel.error.ErrorCode;
import io.micronaut.core.annotation.Nullable;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.Collectors;

/** Which types a client wants: {@code sandbox.*,agent.connected}. */
final class TypePatterns {
    private TypePatterns() {}

    /** All types when nothing is asked; a pattern that fits none is refused. */
    static Set<String> matching(@Nullable String patterns) {
        if (patterns == null || patterns.isBlank()) {
            return all();
        }
        var wanted = new HashSet<String>();
        for (var pattern : patterns.split(",", -1)) {
            var fitting = all();
            fitting.removeIf(type -> !fits(pattern.strip(), type));
            if (fitting.isEmpty()) {
                throw new BivouacException(
                        ErrorCode.INVALID_REQUEST,
                        "No type of event fits '" + pattern.strip() + "'; there are "
                                + all().stream().sorted().collect(Collectors.joining(", ")) + ".");
            }
            wanted.addAll(fitting);
        }
        return wanted;
    }

    private static boolean fits(String pattern, String type) {
        return pattern.equals("*")
                || pattern.equals(type)
                || (pattern.endsWith(".*") && type.startsWith(pattern.substring(0, pattern.length() - 1)));
    }

    private static Set<String> all() {
        return Arrays.stream(EventType.values())
                .map(EventType::wireName)
                .collect(Collectors.toCollection(HashSet::new));
    }
}
