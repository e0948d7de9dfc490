package io.bivouac.sandboxmodel;

import java.util.Locale;

/** Who stopped a stopped sandbox. */
public enum StopReason {
    USER,
    EXPIRED;

    public String wireName() {
        return name().toLowerCase(Locale.ROOT);
    }
}
