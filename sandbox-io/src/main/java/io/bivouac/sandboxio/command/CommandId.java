package io.bivouac.sandboxio.command;

import io.bivouac.sandboxmodel.SortableId;
import io.bivouac.sandboxmodel.error.BivouacException;
import io.bivouac.sandboxmodel.error.ErrorCode;

/** The ids that commands have. */
final class CommandId {
    private static final String PREFIX = "cmd-";

    private CommandId() {}

    static String next() {
        return SortableId.next(PREFIX);
    }

    /** Reads an id that came from outside; what cannot be an id names no command. */
    static String parse(String text) {
        if (!SortableId.matches(PREFIX, text)) {
            throw new BivouacException(ErrorCode.COMMAND_NOT_FOUND, "There is no such command.");
        }
        return text;
    }
}
