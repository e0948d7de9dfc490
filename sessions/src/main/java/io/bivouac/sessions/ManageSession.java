package io.bivouac.sessions;

import io.bivouac.agentlink.SandboxAccess;
import io.bivouac.foundation.access.Caller;
import io.bivouac.foundation.access.Role;
import io.bivouac.http.Listing;
import io.bivouac.http.Refuses;
import io.bivouac.sandboxmodel.error.BivouacException;
import io.bivouac.sandboxmodel.error.ErrorCode;
import io.bivouac.sessions.pod.PodSessions;
import io.bivouac.sessions.pod.SessionPermissions;
import io.bivouac.terminalrelay.socket.SocketAddresses;
import io.bivouac.terminalrelay.socket.TerminalPaths;
import io.bivouac.terminalrelay.terminal.Door;
import io.bivouac.terminalrelay.terminal.EndReason;
import io.bivouac.terminalrelay.terminal.Terminal;
import io.bivouac.terminalrelay.terminal.TerminalMaker;
import io.bivouac.terminalrelay.terminal.Terminals;
import io.micronaut.core.annotation.Nullable;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Delete;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.Post;
import io.micronaut.http.annotation.QueryValue;
import io.micronaut.http.annotation.Status;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import io.micronaut.serde.annotation.Serdeable;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.util.List;

/** Looks at terminal sessions and ends them. */
@Tag(name = "sessions")
@Controller(TerminalPaths.SESSIONS)
@ExecuteOn(TaskExecutors.BLOCKING)
class ManageSession {
    private final SandboxAccess access;
    private final Terminals terminals;
    private final TerminalMaker maker;
    private final SocketAddresses addresses;
    private final PodSessions granted;

    ManageSession(
            SandboxAccess access,
            Terminals terminals,
            TerminalMaker maker,
            SocketAddresses addresses,
            PodSessions granted) {
        this.access = access;
        this.terminals = terminals;
        this.maker = maker;
        this.addresses = addresses;
        this.granted = granted;
    }

    @Serdeable
    @Schema(name = "ManageSession.Way")
    record Way(String wsUrl, List<String> protocols) {}

    @Get
    @Operation(operationId = "listSessions", summary = "List terminal sessions")
    Listing<SessionView> list(
            @Nullable @QueryValue String cursor,
            @Nullable @QueryValue Integer limit,
            HttpRequest<?> http,
            @Parameter(hidden = true) Caller caller) {
        var page = terminals.list(caller, Door.SESSION, null, cursor, Listing.limit(limit));
        var permissions =
                granted.permissionsOf(page.items().stream().map(Terminal::id).toList());
        return Listing.of(page.map(terminal -> view(terminal, permissions.get(terminal.id()), http)));
    }

    @Get("/{sessionId}")
    @Operation(operationId = "getSession", summary = "Look at a terminal session")
    SessionView get(String sessionId, HttpRequest<?> http, @Parameter(hidden = true) Caller caller) {
        var terminal = terminals.get(sessionId, Door.SESSION, caller);
        return view(terminal, granted.permissionsOf(List.of(sessionId)).get(sessionId), http);
    }

    @Post("/{sessionId}/ticket")
    @Refuses(ErrorCode.SESSION_EXPIRED)
    @Operation(operationId = "makeSessionTicket", summary = "Get a one-time ticket for a session's WebSocket")
    Way ticket(
            String sessionId,
            @Nullable @QueryValue Boolean ticketInUrl,
            HttpRequest<?> http,
            @Parameter(hidden = true) Caller caller) {
        var terminal = terminals.get(sessionId, Door.SESSION, caller);
        if (terminal.isOver()) {
            throw new BivouacException(ErrorCode.SESSION_EXPIRED, "Session has expired", terminal.overDetails());
        }
        var way = addresses.way(http, SessionView.path(terminal), caller, sessionId, Boolean.TRUE.equals(ticketInUrl));
        return new Way(way.url(), way.protocols());
    }

    @Delete("/{sessionId}")
    @Status(HttpStatus.NO_CONTENT)
    @Operation(operationId = "endSession", summary = "End a terminal session")
    void end(String sessionId, @Parameter(hidden = true) Caller caller) {
        var terminal = terminals.get(sessionId, Door.SESSION, caller);
        // A guest sees their own sessions only, and those are theirs to end.
        var ender = caller.isGuest() ? caller.as(Role.DEVELOPER) : caller;
        ender.mustBe(Role.DEVELOPER);
        if (!terminal.isOver()) {
            maker.endWhenReached(terminal, EndReason.USER, () -> access.agent(terminal.sandboxId(), ender));
        }
    }

    private SessionView view(Terminal terminal, @Nullable SessionPermissions permissions, HttpRequest<?> http) {
        var url = addresses.url(http, SessionView.path(terminal));
        return SessionView.of(terminal, url, null, permissions, terminals.now());
    }
}
