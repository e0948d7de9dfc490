package io.bivouac.terminalrelay.terminal;

import java.util.Locale;

/** Why a terminal is over. */
public enum EndReason {
    /** Its command ended by itself. */
    EXITED,
    /** Somebody asked for it. */
    USER,
    /** Nothing went in or out for too long. */
    IDLE,
    /** Its time was over. */
    EXPIRED,
    /** The agent no longer knows it: it was started anew, say. */
    LOST,
    /** Its sandbox no longer runs. */
    SANDBOX,
    /** The right that it was opened by was withdrawn. */
    REVOKED;

    public String wireName() {
        return name().toLowerCase(Locale.ROOT);
    }

    public static EndReason ofWireName(String name) {
        return valueOf(name.toUpperCase(Locale.ROOT));
    }
}
