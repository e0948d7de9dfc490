package io.bivouac.terminalrelay.terminal;

import io.bivouac.sandboxes.access.Caller;
import io.bivouac.sandboxes.access.Role;
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
     * Who may use the sandbox drives, unless they only want to look; the others look. The first to come sees all
     * that was written so far, those after that the screen, unless they say from which byte.
     */
    public Seat seat(
            Terminal terminal, Caller caller, @Nullable String role, @Nullable String source, @Nullable String from) {
        boolean mayDrive = caller.role().includes(Role.DEVELOPER);
        boolean driver = switch (role == null ? "" : role) {
            case "" -> mayDrive;
            case "viewer" -> false;
            case "driver" -> {
                caller.mustBe(Role.DEVELOPER);
                yield true;
            }
            default -> throw TerminalOrder.invalid("role must be driver or viewer.");
        };
        long asked = from == null ? Seat.SCREEN : offset(from);
        var seat = Seat.of(driver, source, asked);
        boolean first = terminals.attachFirst(terminal);
        terminals.joined(terminal, caller, driver);
        return from == null && first ? Seat.of(driver, source, 0) : seat;
    }

    private static long offset(String from) {
        try {
            long offset = Long.parseLong(from);
            if (offset >= 0) {
                return offset;
            }
        } catch (NumberFormatException notANumber) {
            // Said below, together with numbers that make no sense.
        }
        throw TerminalOrder.invalid("from must be an offset of 0 or more.");
    }
}
