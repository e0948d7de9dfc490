package io.bivouac.terminalrelay.wire;

/** A frame that makes no sense; the client is told why, and the terminal goes on. */
public final class BadFrame extends Exception {
    public BadFrame(String why) {
        super(why, null, false, false);
    }
}
