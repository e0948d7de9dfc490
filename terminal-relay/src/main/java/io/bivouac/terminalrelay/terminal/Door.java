package io.bivouac.terminalrelay.terminal;

import io.bivouac.sandboxmodel.error.ErrorCode;
import java.util.Locale;

/** Through which kind of request a terminal was made; each has its own words for what goes wrong. */
public enum Door {
    PTY("pty-", ErrorCode.PTY_NOT_FOUND, ErrorCode.PTY_LIMIT_EXCEEDED, ErrorCode.COMMAND_FAILED),
    EXEC("pty-", ErrorCode.PTY_NOT_FOUND, ErrorCode.PTY_LIMIT_EXCEEDED, ErrorCode.COMMAND_FAILED),
    SESSION("sess_", ErrorCode.SESSION_NOT_FOUND, ErrorCode.RESOURCE_LIMIT, ErrorCode.PTY_ERROR);

    private final String prefix;
    private final ErrorCode notFound;
    private final ErrorCode full;
    private final ErrorCode notStarted;

    Door(String prefix, ErrorCode notFound, ErrorCode full, ErrorCode notStarted) {
        this.prefix = prefix;
        this.notFound = notFound;
        this.full = full;
        this.notStarted = notStarted;
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

    ErrorCode notStarted() {
        return notStarted;
    }
}
