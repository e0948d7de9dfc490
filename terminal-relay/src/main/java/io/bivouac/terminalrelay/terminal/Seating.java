package io.bivouac.terminalrelay.terminal;

import io.bivouac.foundation.access.Caller;
import io.bivouac.foundation.access.Role;
import io.bivouac.sandboxmodel.error.BivouacException;
import io.micronaut.core.annotation.Nullable;
import jakarta.inject.Singleton;

/** Gives callers their seats at terminals. Thread-safe. */
@Singleton
public class Seating {
    private final Terminals terminals;

    Seating(Terminals terminals) {
        this.terminals = terminals;
    }

    /**
     * Who may use the sandbox drives, and guests what is their own, unless they only want to look; the others look.
     * The first to come sees all that was written so far, those after that the screen, unless they say from which byte.
     */
    public Seat seat(
            Terminal terminal,
            Caller caller,
            @Nullable TerminalRole role,
            @Nullable String source,
            @Nullable String from,
            @Nullable String credit) {
        boolean mayDrive = caller.role().includes(Role.DEVELOPER)
                || caller.isGuest() && terminal.owner().equals(caller.id());
        if (role == TerminalRole.DRIVER && !mayDrive) {
            caller.mustBe(Role.DEVELOPER);
        }
        var usual = mayDrive ? TerminalRole.DRIVER : TerminalRole.VIEWER;
        var given = role == null ? usual : role;
        long asked = from == null ? Seat.SCREEN : number(from, "from");
        long window = credit == null ? Seat.UNLIMITED : number(credit, "credit");
        var seat = Seat.of(given, source, asked, window, caller.id());
        boolean first = terminals.attachFirst(terminal);
        terminals.joined(terminal, caller, given);
        return from == null && first ? Seat.of(given, source, 0, window, caller.id()) : seat;
    }

    private static long number(String text, String what) {
        try {
            long number = Long.parseLong(text);
            if (number >= 0) {
                return number;
            }
        } catch (NumberFormatException notANumber) {
            // Said below, together with numbers that make no sense.
        }
        throw BivouacException.invalidRequest(what + " must be a number of 0 or more.");
    }
}
