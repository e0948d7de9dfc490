package io.bivouac.sandboxmodel;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** What is to become of a sandbox whose time is over. */
public enum OnExpiry {
    /** It is removed, and its workspace is kept for a while. */
    KEEP,
    /** It is stopped with its files, and can be started again. */
    STOP,
    /** It is removed with its files. */
    DELETE;

    public String wireName() {
        return name().toLowerCase(Locale.ROOT);
    }

    public static Optional<OnExpiry> ofWireName(String name) {
        return Arrays.stream(values())
                .filter(choice -> choice.wireName().equals(name))
                .findFirst();
    }
}
