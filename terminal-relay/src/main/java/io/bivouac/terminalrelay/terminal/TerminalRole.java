package io.bivouac.terminalrelay.terminal;

import io.bivouac.sandboxmodel.error.BivouacException;
import io.micronaut.core.annotation.Nullable;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** What a client is at a terminal: it types, it looks, or it looks and is sure to be asked for permission. */
public enum TerminalRole {
    DRIVER,
    VIEWER,
    APPROVER;

    public String wireName() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Empty when the client leaves it to the relay. */
    public static Optional<TerminalRole> asked(@Nullable String name) {
        if (name == null || name.isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(Arrays.stream(values())
                .filter(role -> role.wireName().equals(name))
                .findFirst()
                .orElseThrow(() -> BivouacException.invalidRequest("role must be driver, viewer or approver.")));
    }
}
