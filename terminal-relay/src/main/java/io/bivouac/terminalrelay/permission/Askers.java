package io.bivouac.terminalrelay.permission;

/** Those at this relay who have asked and wait for answers. Thread-safe. */
interface Askers {
    /** Something is known of a question; if it is the answer to one of theirs, they get it. */
    void heard(PermissionRequest request);

    /** For answers whose news were missed, or that could not be delivered. */
    void lookAgain();
}
