package io.bivouac.terminalrelay.socket;

/** The paths of terminals, their sessions and their recordings. */
public final class TerminalPaths {
    public static final String PTYS = "/api/v1/sandboxes/{id}/pty";
    public static final String TERMINALS = "/api/v1/terminals";
    public static final String SESSIONS = "/-/terminal/sessions";

    public static final String RECORDINGS = "/api/v1/recordings";

    /** As filters spell them. */
    public static final String PTY_SOCKET = "/api/v1/sandboxes/*/pty/*/ws";

    public static final String SESSION_SOCKET = "/-/terminal/sessions/*/ws";
    public static final String EXEC_SOCKET = "/api/v1/sandboxes/*/exec/interactive";

    private TerminalPaths() {}
}
