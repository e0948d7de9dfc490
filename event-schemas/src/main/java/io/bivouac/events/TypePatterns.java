package io.bivouac.events;

import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Types of events by name, as a family or all: {@code sandbox.running}, {@code sandbox.*}, {@code *}. Immutable. */
public record TypePatterns(List<String> patterns) {
    private static final String ALL = "*";
    private static final String FAMILY = ".*";

    public TypePatterns {
        patterns = List.copyOf(patterns);
    }

    public static TypePatterns all() {
        return new TypePatterns(List.of(ALL));
    }

    /**
     * The patterns of a request, each once.
     *
     * @throws IllegalArgumentException if no type fits one of them: a misspelt type would wait for ever
     */
    public static TypePatterns checked(List<String> asked) {
        for (var pattern : asked) {
            if (pattern == null || typesThatFit(pattern).isEmpty()) {
                throw new IllegalArgumentException("No type of event fits '" + pattern + "'; there are "
                        + String.join(", ", typesThatFit(ALL)) + ".");
            }
        }
        return new TypePatterns(List.copyOf(new LinkedHashSet<>(asked)));
    }

    /** The patterns of a stored text, unchecked: a newer program may know more types. */
    public static TypePatterns ofText(String text) {
        return new TypePatterns(List.of(text.split(",")));
    }

    /** With commas between. */
    public String text() {
        return String.join(",", patterns);
    }

    public boolean match(String type) {
        for (var pattern : patterns) {
            if (fits(pattern, type)) {
                return true;
            }
        }
        return false;
    }

    /** The types of this version that match. */
    public Set<String> types() {
        return patterns.stream()
                .flatMap(pattern -> typesThatFit(pattern).stream())
                .collect(Collectors.toUnmodifiableSet());
    }

    private static Set<String> typesThatFit(String pattern) {
        return Arrays.stream(EventType.values())
                .map(EventType::wireName)
                .filter(type -> fits(pattern, type))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static boolean fits(String pattern, String type) {
        return pattern.equals(ALL)
                || pattern.equals(type)
                || (pattern.endsWith(FAMILY) && type.startsWith(pattern.substring(0, pattern.length() - 1)));
    }
}
