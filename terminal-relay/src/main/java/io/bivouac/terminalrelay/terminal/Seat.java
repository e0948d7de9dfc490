package io.bivouac.terminalrelay.terminal;

import io.bivouac.sandboxmodel.SortableId;
import io.bivouac.sandboxmodel.error.BivouacException;
import io.micronaut.core.annotation.Nullable;

/**
 * How a client is attached.
 *
 * @param role only a driver types
 * @param source under which name its input is counted
 * @param isNumbered whether the client itself counts its input, to come back without typing anything twice
 * @param from the first byte of output it wants; less than 0 for the screen as it is
 * @param credit how many bytes may be sent to begin with; less than 0 for as many as the network takes
 * @param mayReturn the terminal goes on when the client is cut off
 * @param endsWithClient the terminal ends when the client says goodbye
 * @param who the caller's id
 */
public record Seat(
        TerminalRole role,
        String source,
        boolean isNumbered,
        long from,
        long credit,
        boolean mayReturn,
        boolean endsWithClient,
        String who) {
    static final long SCREEN = -1;
    static final long UNLIMITED = -1;
    private static final int LONGEST_SOURCE = 48;

    boolean driver() {
        return role == TerminalRole.DRIVER;
    }

    static Seat of(TerminalRole role, @Nullable String source, long from, long credit, String who) {
        if (source != null && !source.matches("[A-Za-z0-9._:-]{1," + LONGEST_SOURCE + "}")) {
            throw BivouacException.invalidRequest(
                    "source must have 1 to " + LONGEST_SOURCE + " letters, digits or any of . _ : -");
        }
        var name = source == null ? SortableId.next("src_") : source;
        return new Seat(role, name, source != null, from, credit, true, false, who);
    }

    /** For a terminal that was made for this client alone. */
    public static Seat alone(@Nullable String source, boolean mayReturn, String who) {
        var seat = of(TerminalRole.DRIVER, source, 0, UNLIMITED, who);
        return new Seat(seat.role(), seat.source(), seat.isNumbered(), 0, UNLIMITED, mayReturn, true, who);
    }
}
