package io.bivouac.terminalrelay.socket;

import io.bivouac.foundation.access.Caller;
import io.bivouac.http.FilterOrder;
import io.bivouac.http.SandboxReferences;
import io.bivouac.http.WebSocketRequest;
import io.bivouac.sandboxmodel.error.BivouacException;
import io.bivouac.sandboxmodel.error.ErrorCode;
import io.bivouac.terminalrelay.permission.ApproverSeats;
import io.bivouac.terminalrelay.terminal.Door;
import io.bivouac.terminalrelay.terminal.EndReason;
import io.bivouac.terminalrelay.terminal.Seat;
import io.bivouac.terminalrelay.terminal.Seating;
import io.bivouac.terminalrelay.terminal.Terminal;
import io.bivouac.terminalrelay.terminal.TerminalRole;
import io.bivouac.terminalrelay.terminal.Terminals;
import io.micronaut.core.annotation.Order;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.annotation.RequestFilter;
import io.micronaut.http.annotation.ServerFilter;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import java.time.Duration;

/** Decides before a WebSocket is opened whether there is a terminal and which seat the caller gets. */
@ServerFilter({TerminalPaths.PTY_SOCKET, TerminalPaths.SESSION_SOCKET})
@Order(FilterOrder.ADMISSION)
public class Admission {
    public static final String ADMITTED = "bivouac.terminal";

    /** As long as an agent keeps the output of a command that has ended. */
    private static final Duration REMEMBERED = Duration.ofMinutes(5);

    private final Terminals terminals;
    private final Seating seating;
    private final ApproverSeats approvers;

    Admission(Terminals terminals, Seating seating, ApproverSeats approvers) {
        this.terminals = terminals;
        this.seating = seating;
        this.approvers = approvers;
    }

    public record Admitted(Terminal terminal, Seat seat, Caller caller) {}

    @RequestFilter
    @ExecuteOn(TaskExecutors.BLOCKING)
    void admit(HttpRequest<?> request, Caller caller) {
        WebSocketRequest.must(request);
        var words = request.getPath().split("/");
        var id = words[words.length - 2];
        boolean session = words[1].equals("-");
        var terminal = session
                ? terminals.get(id, Door.SESSION, caller)
                : terminals.getIn(SandboxReferences.of(request), id, caller);
        boolean overdue = !terminal.isOver() && terminals.now().isAfter(terminal.expiresAt());
        if (overdue || terminal.isOver() && !isFinishing(terminal, request)) {
            throw session
                    ? new BivouacException(ErrorCode.SESSION_EXPIRED, "Session has expired", terminal.overDetails())
                    : new BivouacException(ErrorCode.PTY_NOT_FOUND, "The terminal is over.", terminal.overDetails());
        }
        var query = request.getParameters();
        var role = TerminalRole.asked(query.get("role")).orElse(null);
        if (role == TerminalRole.APPROVER) {
            approvers.mustApprove(terminal, caller);
        }
        var seat = seating.seat(terminal, caller, role, query.get("source"), query.get("from"), query.get("credit"));
        request.setAttribute(ADMITTED, new Admitted(terminal, seat, caller));
    }

    /** Who was cut off around the end, or came after it, may have what was missed, while the agent remembers it. */
    private boolean isFinishing(Terminal terminal, HttpRequest<?> request) {
        boolean missedAll =
                terminal.attachedAt() == null && EndReason.EXITED.wireName().equals(terminal.endReason());
        return (missedAll || request.getParameters().contains("from"))
                && Duration.between(terminal.endedAt(), terminals.now()).compareTo(REMEMBERED) < 0;
    }
}
