package io.bivouac.terminalrelay.pty;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.bivouac.terminalrelay.terminal.Seat;
import io.bivouac.terminalrelay.terminal.Terminal;
import io.micronaut.serde.annotation.Serdeable;
import java.time.Instant;
import java.util.List;

/**
 * An open terminal as the list of all shows it.
 *
 * @param owner who opened it
 * @param cols how wide it was when it was opened
 * @param attached who is attached at the server that answers
 * @param activeAt when something was last typed or shown, within some seconds
 */
@Serdeable
@JsonInclude(JsonInclude.Include.ALWAYS)
record TerminalView(
        String id,
        String sandboxId,
        String command,
        String owner,
        String status,
        int cols,
        int rows,
        boolean recorded,
        boolean sealed,
        List<Watcher> attached,
        Instant createdAt,
        Instant activeAt,
        Instant expiresAt) {
    /** @param role driver, who types, or viewer, who looks */
    @Serdeable
    record Watcher(String who, String role) {
        static Watcher of(Seat seat) {
            return new Watcher(seat.who(), seat.role().wireName());
        }
    }

    static TerminalView of(Terminal terminal, List<Seat> seats, Instant now) {
        return new TerminalView(
                terminal.id(),
                terminal.sandboxId(),
                terminal.command(),
                terminal.owner(),
                terminal.status(now),
                terminal.columns(),
                terminal.rows(),
                terminal.recorded(),
                terminal.sealed(),
                seats.stream().map(Watcher::of).toList(),
                terminal.createdAt(),
                terminal.activeAt(),
                terminal.expiresAt());
    }
}
