package io.bivouac.terminalrelay.terminal;

/** A client that is attached to a terminal at this relay. */
interface Attached extends Listening {
    Terminal terminal();

    Seat seat();

    /** The relay stops: the client is sent elsewhere. */
    void dismiss();
}
