package io.bivouac.terminalrelay.wire;

import com.google.protobuf.ByteString;

/** What a client can say, through whichever door. */
public sealed interface FromClient {
    /**
     * Something typed.
     *
     * @param sequence counts from 1 for each source; 0 where the door has no numbers
     */
    record Input(long sequence, ByteString data) implements FromClient {}

    /** Nothing more will be typed; for commands without a terminal. */
    record EndOfInput() implements FromClient {}

    record Resize(int columns, int rows) implements FromClient {}

    record Signal(int number) implements FromClient {}

    /** So many more bytes of output may be sent. */
    record Credit(long bytes) implements FromClient {}

    /** Output is wanted again from this offset. */
    record Resume(long from) implements FromClient {}

    record Ping() implements FromClient {}

    /** Something for the sandbox's agent alone. */
    record Sealed(long number, ByteString data) implements FromClient {}
}
