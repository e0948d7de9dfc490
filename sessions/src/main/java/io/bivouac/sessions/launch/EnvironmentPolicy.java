package io.bivouac.sessions.launch;

import io.bivouac.sandboxio.text.ShownText;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/**
 * The variables that a program may be started with.
 *
 * @param names whole names, or beginnings and endings of names with {@code *} for the rest
 */
record EnvironmentPolicy(List<String> names) {
    private static final int SHOWN = 80;

    EnvironmentPolicy {
        names = List.copyOf(names);
    }

    /** Why these may not be set by whoever asks; empty when they may. */
    Optional<String> objection(Collection<String> variables) {
        var turning = turning(variables);
        return turning.isPresent()
                ? turning
                : variables.stream()
                        .filter(variable -> !allows(variable))
                        .findFirst()
                        .map(variable -> "the variable " + ShownText.of(variable, SHOWN) + " is not allowed");
    }

    boolean allows(String variable) {
        return !TurningVariables.include(variable) && names.stream().anyMatch(name -> fits(name, variable));
    }

    private static Optional<String> turning(Collection<String> variables) {
        return variables.stream()
                .filter(TurningVariables::include)
                .findFirst()
                .map(variable ->
                        "the variable " + ShownText.of(variable, SHOWN) + " could turn it into another program");
    }

    private static boolean fits(String name, String variable) {
        int star = name.indexOf('*');
        if (star < 0) {
            return name.equals(variable);
        }
        return variable.length() >= name.length()
                && variable.startsWith(name.substring(0, star))
                && variable.endsWith(name.substring(star + 1));
    }
}
