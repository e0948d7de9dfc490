package io.bivouac.terminalrelay.terminal;

import io.bivouac.sandboxes.error.ErrorCode;
import java.util.Locale;

/** Through which kind of request a terminal was made; each has its own words for what goes wrong. */
public enum Door {
    PTY("pty-", ErrorCode.PTY_NOT_FOUND, ErrorCode.PTY_LIMIT_EXCEEDED),
    EXEC("pty-", ErrorCode.PTY_NOT_FOUND, ErrorCode.PTY_LIMIT_EXCEEDED),
    SESSION("sess_", ErrorCode.SESSION_NOT_FOUND, ErrorCode.RESOURCE_LIMIT);

    private final String prefix;
    private final ErrorCode notFound;
    private final ErrorCode full;

    Door(String prefix, ErrorCode notFound, ErrorCode full) {
        this.prefix = prefix;
        this.notFound = notFound;
        this.full = full;
    }

    public String wireName() {
        return name().toLowerCase(Locale.ROOT);
    }

    public static Door ofWireName(String name) {
        return valueOf(name.toUpperCase(Locale.ROOT));
    }

    public String prefix() {
        return prefix;
    }

    ErrorCode notFound() {
        return notFound;
    }

    ErrorCode full() {
        return full;
    }
}
