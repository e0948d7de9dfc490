package io.bivouac.foundation.settings;

import io.micronaut.core.annotation.Nullable;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/** The variables of the two keys that all servers of an installation share, with the former names still taken. */
public enum KeyVariable {
    /** Derives tokens of sandboxes, agents, relays and console logins; Base64. */
    TOKEN("BIVOUAC_TOKEN_KEY", "BIVOUAC_SECRET_KEY"),

    /** Encrypts secrets in the database; 32 bytes in Base64, or several such keys separated by commas. */
    ENCRYPTION("BIVOUAC_ENCRYPTION_KEY", "BIVOUAC_SECRETS_KEY");

    private final String variable;
    private final String former;

    KeyVariable(String variable, String former) {
        this.variable = variable;
        this.former = former;
    }

    public String variable() {
        return variable;
    }

    /** The value under either name; refuses two that differ. */
    public Optional<String> in(Function<String, @Nullable String> values) {
        return of(values.apply(variable), values.apply(former));
    }

    Optional<String> of(@Nullable String value, @Nullable String formerValue) {
        var given = Stream.of(text(value), text(formerValue))
                .flatMap(Optional::stream)
                .distinct()
                .toList();
        if (given.size() > 1) {
            throw new IllegalArgumentException(
                    "%s and %s have different values; %s is the former name of %s, so set only %s."
                            .formatted(variable, former, former, variable, variable));
        }
        return given.stream().findFirst();
    }

    /** An empty variable of the environment counts as none. */
    private static Optional<String> text(@Nullable String value) {
        return Optional.ofNullable(value).map(String::strip).filter(text -> !text.isEmpty());
    }
}
