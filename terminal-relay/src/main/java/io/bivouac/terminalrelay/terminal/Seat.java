package io.bivouac.terminalrelay.terminal;

import io.bivouac.sandboxes.SortableId;
import io.micronaut.core.annotation.Nullable;

/**
 * How a client is attached.
 *
 * @param driver types; otherwise it only looks
 * @param source under which name its input is counted
 * @param isNumbered whether the client itself counts its input, to come back without typing anything twice
 * @param from the first byte of output it wants; less than 0 for the screen as it is
 * @param mayReturn the terminal goes on when the client is cut off
 * @param endsWithClient the terminal ends when the client says goodbye
 */
public record Seat(
        boolean driver, String source, boolean isNumbered, long from, boolean mayReturn, boolean endsWithClient) {
    static final long SCREEN = -1;
    private static final int LONGEST_SOURCE = 48;

    public static Seat of(boolean driver, @Nullable String source, long from) {
        if (source != null && !source.matches("[A-Za-z0-9._:-]{1," + LONGEST_SOURCE + "}")) {
            throw TerminalOrder.invalid(
                    "source must have 1 to " + LONGEST_SOURCE + " letters, digits or any of . _ : -");
        }
        var name = source == null ? SortableId.next("src_") : source;
        return new Seat(driver, name, source != null, from, true, false);
    }

    /** For a terminal that was made for this client alone. */
    public static Seat alone(@Nullable String source, boolean mayReturn) {
        var seat = of(true, source, 0);
        return new Seat(true, seat.source(), seat.isNumbered(), 0, mayReturn, true);
    }
}
