package io.bivouac.terminalrelay.testing;

/** The server answered a WebSocket's handshake with something other than 101. */
public final class HandshakeRefused extends IllegalStateException {
    private final int status;

    HandshakeRefused(int status) {
        super("the handshake was answered " + status);
        this.status = status;
    }

    public int status() {
        return status;
    }
}
