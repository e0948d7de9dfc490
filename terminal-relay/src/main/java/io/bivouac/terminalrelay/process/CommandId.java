package io.bivouac.terminalrelay.process;

import io.bivouac.sandboxes.SortableId;
import io.bivouac.sandboxes.error.BivouacException;
import io.bivouac.sandboxes.error.ErrorCode;

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
