package io.bivouac.terminalrelay.exec;

import io.bivouac.agentlink.Agent;
import io.bivouac.agentlink.SandboxAccess;
import io.bivouac.foundation.access.Caller;
import io.bivouac.http.FilterOrder;
import io.bivouac.http.SandboxReferences;
import io.bivouac.http.WebSocketRequest;
import io.bivouac.sandboxmodel.error.BivouacException;
import io.bivouac.terminalrelay.sealed.SealingRule;
import io.bivouac.terminalrelay.socket.TerminalPaths;
import io.bivouac.terminalrelay.terminal.TerminalOrder;
import io.micronaut.core.annotation.Nullable;
import io.micronaut.core.annotation.Order;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.annotation.RequestFilter;
import io.micronaut.http.annotation.ServerFilter;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import java.util.List;

/** Checks an interactive exec before its WebSocket is opened. */
@ServerFilter(TerminalPaths.EXEC_SOCKET)
@Order(FilterOrder.ADMISSION)
class ExecAdmission {
    static final String ADMITTED = "bivouac.exec";

    private final SandboxAccess access;
    private final SealingRule sealings;

    ExecAdmission(SandboxAccess access, SealingRule sealings) {
        this.access = access;
        this.sealings = sealings;
    }

    record Admitted(
            TerminalOrder order, boolean tty, @Nullable String source, Agent agent, Caller caller) {}

    @RequestFilter
    @ExecuteOn(TaskExecutors.BLOCKING)
    void admit(HttpRequest<?> request, Caller caller) {
        WebSocketRequest.must(request);
        var query = request.getParameters();
        var words = query.getAll("command");
        var order = TerminalOrder.of(
                number(query.get("cols"), "cols"),
                number(query.get("rows"), "rows"),
                words.isEmpty() ? List.of("sh") : words);
        boolean tty = flag(query.get("tty"));
        // This door has no sealed form.
        sealings.check(null);
        var agent = access.agent(SandboxReferences.of(request), caller);
        request.setAttribute(ADMITTED, new Admitted(order, tty, query.get("source"), agent, caller));
    }

    private static @Nullable Integer number(@Nullable String text, String what) {
        try {
            return text == null ? null : Integer.valueOf(text);
        } catch (NumberFormatException malformed) {
            throw BivouacException.invalidRequest(what + " must be a number.");
        }
    }

    private static boolean flag(@Nullable String text) {
        return switch (text == null ? "true" : text) {
            case "true", "1" -> true;
            case "false", "0" -> false;
            default -> throw BivouacException.invalidRequest("tty must be true or false.");
        };
    }
}
