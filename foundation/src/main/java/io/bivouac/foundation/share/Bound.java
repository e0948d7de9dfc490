package io.bivouac.foundation.share;

import java.util.Locale;

/** Which of a pool's bounds was reached. */
public enum Bound {
    CALLER,
    PROJECT,
    TOTAL;

    public String wireName() {
        return name().toLowerCase(Locale.ROOT);
    }
}
