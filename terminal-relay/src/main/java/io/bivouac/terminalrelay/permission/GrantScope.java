package io.bivouac.terminalrelay.permission;

import io.bivouac.sandboxmodel.Nearest;
import io.bivouac.sandboxmodel.error.BivouacException;
import io.micronaut.core.annotation.Nullable;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** How far a yes to the network reaches; the narrowest first. */
public enum GrantScope {
    /** The connections that wait for it. */
    ONCE,
    /** The sandbox's list of hosts gets the host. */
    SANDBOX,
    /** So does that of each sandbox that the project makes of the same template. */
    TEMPLATE;

    static final List<String> WORDS =
            Arrays.stream(values()).map(GrantScope::wireName).toList();

    String wireName() {
        return name().toLowerCase(Locale.ROOT);
    }

    static @Nullable GrantScope read(@Nullable String word) {
        if (word == null) {
            return null;
        }
        if (!WORDS.contains(word)) {
            var meant = Nearest.to(word, WORDS)
                    .map(near -> " Did you mean " + near + "?")
                    .orElse("");
            throw BivouacException.invalidRequest("scope must be once, sandbox or template." + meant);
        }
        return valueOf(word.toUpperCase(Locale.ROOT));
    }
}
