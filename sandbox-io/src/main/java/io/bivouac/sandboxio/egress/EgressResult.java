package io.bivouac.sandboxio.egress;

import java.util.Locale;

/** What became of a program's wish to connect, and how the proxy says so. */
enum EgressResult {
    CONNECTED(200),
    /** It says nothing that a proxy understands. */
    MALFORMED(400),
    /** The policy, or the guard of addresses, has it not. */
    REFUSED(403),
    /** The program did not say in time what it wants. */
    SILENT(408),
    UNKNOWN_HOST(502),
    UNREACHABLE(502),
    /** Not now: too much at a time, or the policy cannot be read. */
    UNAVAILABLE(503),
    TIMEOUT(504);

    private final int status;

    EgressResult(int status) {
        this.status = status;
    }

    int status() {
        return status;
    }

    String wireName() {
        return name().toLowerCase(Locale.ROOT);
    }
}
