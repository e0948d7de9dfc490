package io.bivouac.foundation.memory;

import java.util.Locale;

/** What memory is held for. */
public enum Purpose {
    /** A page of a listing, or one large item. */
    LISTING,
    LOG,
    /** Events that a client of the event stream has not taken yet. */
    EVENT_STREAM,
    /** Output that is collected for an answer in one piece. */
    COMMAND_OUTPUT,
    /** The window of a command's output that is streamed. */
    COMMAND_STREAM;

    /** As metrics name it. */
    String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
