package io.bivouac.sessions.launch;

import io.bivouac.sandboxio.text.ShownText;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The arguments that a program may be started with. It lists what is allowed, so that a flag that gets around the
 * program's own questions is refused in every spelling, and so is one that a later version brings.
 *
 * @param flags that stand alone
 * @param options that take a value, as the next word or after {@code =}, and what the whole value must be like
 * @param words what a word that is no flag must be like: one of these, as a whole
 */
record ArgumentPolicy(Set<String> flags, Map<String, Pattern> options, List<Pattern> words) {
    private static final int SHOWN = 80;

    ArgumentPolicy {
        flags = Set.copyOf(flags);
        options = Map.copyOf(options);
        words = List.copyOf(words);
    }

    /** Why the program is not started with these; empty when it may be. */
    Optional<String> objection(List<String> arguments) {
        for (int i = 0; i < arguments.size(); i++) {
            var argument = arguments.get(i);
            var value = options.get(argument);
            if (value != null) {
                i++;
                var next = i < arguments.size() ? arguments.get(i) : "";
                // Some programs would take it for a flag, whatever came before it.
                if (next.startsWith("-") || !value.matcher(next).matches()) {
                    return Optional.of(shown(argument) + " may not be " + shown(next));
                }
            } else if (!isAllowed(argument)) {
                return Optional.of("the argument " + shown(argument) + " is not allowed");
            }
        }
        return Optional.empty();
    }

    private boolean isAllowed(String argument) {
        if (flags.contains(argument)) {
            return true;
        }
        if (argument.startsWith("-")) {
            int middle = argument.indexOf('=');
            var value = middle < 0 ? null : options.get(argument.substring(0, middle));
            return value != null
                    && value.matcher(argument.substring(middle + 1)).matches();
        }
        return words.stream().anyMatch(word -> word.matcher(argument).matches());
    }

    private static String shown(String argument) {
        return "\"" + ShownText.of(argument, SHOWN) + "\"";
    }
}
