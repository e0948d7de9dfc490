package io.bivouac.terminalrelay.door;

/** Where the doors are. */
final class Paths {
    static final String PTYS = "/api/v1/sandboxes/{id}/pty";
    static final String SESSIONS = "/-/terminal/sessions";

    static final String RECORDINGS = "/api/v1/recordings";

    /** As filters spell them. */
    static final String PTY_SOCKET = "/api/v1/sandboxes/*/pty/*/ws";

    static final String SESSION_SOCKET = "/-/terminal/sessions/*/ws";
    static final String EXEC_SOCKET = "/api/v1/sandboxes/*/exec/interactive";

    private Paths() {}
}
