package io.bivouac.terminalrelay.door;

import io.bivouac.sandboxes.store.Page;
import io.bivouac.terminalrelay.terminal.TerminalOrder;
import io.micronaut.core.annotation.Nullable;

/** How many items a page of a listing has. */
final class Limits {
    private Limits() {}

    static int of(@Nullable Integer asked) {
        if (asked == null) {
            return Page.DEFAULT_LIMIT;
        }
        if (asked < 1 || asked > Page.LARGEST_LIMIT) {
            throw TerminalOrder.invalid("limit must be between 1 and " + Page.LARGEST_LIMIT + ".");
        }
        return asked;
    }
}
