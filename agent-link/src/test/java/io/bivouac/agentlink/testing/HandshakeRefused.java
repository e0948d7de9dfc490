package io.bivouac.agentlink.testing;

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

    /** The status of a handshake; 101 when the server agreed to it. */
    public static int statusOf(Runnable handshake) {
        try {
            handshake.run();
            return 101;
        } catch (HandshakeRefused refused) {
            return refused.status();
        }
    }
}
