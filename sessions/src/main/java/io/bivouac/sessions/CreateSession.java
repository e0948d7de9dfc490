package io.bivouac.sessions;

import io.bivouac.agentlink.SandboxAccess;
import io.bivouac.foundation.access.Caller;
import io.bivouac.foundation.access.Role;
import io.bivouac.http.Refuses;
import io.bivouac.sandboxmodel.SandboxId;
import io.bivouac.sandboxmodel.error.BivouacException;
import io.bivouac.sandboxmodel.error.ErrorCode;
import io.bivouac.sessions.Guests.Admitted;
import io.bivouac.sessions.launch.LaunchRule;
import io.bivouac.sessions.pod.PodFiles;
import io.bivouac.sessions.pod.SessionPermissions;
import io.bivouac.terminalrelay.sealed.SealingRule;
import io.bivouac.terminalrelay.socket.SocketAddresses;
import io.bivouac.terminalrelay.socket.SocketAddresses.Way;
import io.bivouac.terminalrelay.socket.TerminalPaths;
import io.bivouac.terminalrelay.terminal.Door;
import io.bivouac.terminalrelay.terminal.Terminal;
import io.bivouac.terminalrelay.terminal.TerminalMaker;
import io.bivouac.terminalrelay.terminal.TerminalOrder;
import io.bivouac.terminalrelay.terminal.TerminalSettings;
import io.bivouac.terminalrelay.terminal.Terminals.Wish;
import io.micronaut.core.annotation.Nullable;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Post;
import io.micronaut.http.annotation.QueryValue;
import io.micronaut.http.annotation.Status;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.tags.Tag;
import jakarta.inject.Singleton;

/** Starts a terminal session, in a sandbox that exists or in one of its own. */
@Tag(name = "sessions")
@Controller(TerminalPaths.SESSIONS)
@ExecuteOn(TaskExecutors.BLOCKING)
class CreateSession {
    private final SandboxAccess access;
    private final TerminalMaker maker;
    private final TerminalSettings settings;
    private final SocketAddresses addresses;
    private final Ways ways;

    /** What leads into a session, beside a sandbox that exists. */
    @Singleton
    record Ways(@Nullable SessionSandboxes sandboxes, Guests guests, SealingRule sealings, Launching launching) {}

    CreateSession(
            SandboxAccess access,
            TerminalMaker maker,
            TerminalSettings settings,
            SocketAddresses addresses,
            Ways ways) {
        this.access = access;
        this.maker = maker;
        this.settings = settings;
        this.addresses = addresses;
        this.ways = ways;
    }

    @Post
    @Status(HttpStatus.CREATED)
    @Refuses({ErrorCode.SANDBOX_NOT_FOUND, ErrorCode.CONFLICT, ErrorCode.UNSUPPORTED_BY_RUNTIME, ErrorCode.PTY_ERROR})
    @Operation(operationId = "createSession", summary = "Start a terminal session")
    HttpResponse<SessionView> create(
            @Body SessionRequest asked,
            @Nullable @QueryValue Boolean ticketInUrl,
            HttpRequest<?> http,
            @Parameter(hidden = true) Caller caller) {
        boolean inUrl = Boolean.TRUE.equals(ticketInUrl);
        if (!caller.isGuest()) {
            var terminal = forKey(asked, caller);
            return HttpResponse.created(view(terminal, null, way(terminal, http, caller, inUrl)));
        }
        var origin = http.getHeaders().get("Origin");
        var admitted =
                ways.guests().admit(asked, origin, caller, ways.launching().rules());
        var terminal = forGuest(asked, admitted, caller);
        var permissions = SessionPermissions.of(admitted.grant());
        var way = way(terminal, http, caller, inUrl);
        return HttpResponse.created(view(terminal, permissions, way).with(admitted.files()));
    }

    private Way way(Terminal terminal, HttpRequest<?> http, Caller caller, boolean inUrl) {
        return addresses.way(http, SessionView.path(terminal), caller, terminal.id(), inUrl);
    }

    private static SessionView view(Terminal terminal, @Nullable SessionPermissions permissions, Way way) {
        return SessionView.of(terminal, way.url(), way.protocols(), permissions, terminal.createdAt());
    }

    private Terminal forKey(SessionRequest asked, Caller caller) {
        if (!asked.secrets().isEmpty()) {
            throw new BivouacException(
                    ErrorCode.FORBIDDEN, "Secrets of a Pod are for those whom its ACL names: log in with a WebID.");
        }
        return start(asked, ways.launching().admit(asked, asked, caller), caller, null);
    }

    private Terminal forGuest(SessionRequest asked, Admitted admitted, Caller guest) {
        var grant = admitted.grant();
        var complete = admitted.asked().within(grant.longest(), settings).startingIn(admitted.files());
        var whole = ways.launching().confined(complete, asked, grant.byCommand());
        var rule = ways.launching().admit(whole, asked, guest);
        return start(whole, rule, guest.as(Role.DEVELOPER), admitted);
    }

    private Terminal start(SessionRequest asked, @Nullable LaunchRule rule, Caller caller, @Nullable Admitted guest) {
        caller.mustBe(Role.DEVELOPER);
        var order = asked.order(rule);
        // Before a sandbox is made for it.
        ways.sealings().check(asked.sealing());
        return asked.sandboxId() == null
                ? inItsOwn(asked, order, rule, caller, guest)
                : make(asked, order, SandboxId.parse(asked.sandboxId()), caller, guest);
    }

    private Terminal inItsOwn(
            SessionRequest asked,
            TerminalOrder order,
            @Nullable LaunchRule rule,
            Caller caller,
            @Nullable Admitted guest) {
        var sandboxes = ways.sandboxes();
        if (sandboxes == null) {
            throw new BivouacException(
                    ErrorCode.UNSUPPORTED_BY_RUNTIME, "This relay makes no sandboxes; name one by sandboxId.");
        }
        maker.mustHavePlace(Door.SESSION, caller);
        var shown = guest != null && guest.files() instanceof PodFiles.Shown files ? files : null;
        var sandbox = sandboxes.make(asked.template(), asked.life(settings), caller, rule, shown);
        boolean made = false;
        try {
            var terminal = make(asked, order, sandbox, caller, guest);
            made = true;
            return terminal;
        } finally {
            if (!made) {
                sandboxes.discard(sandbox, caller);
            }
        }
    }

    private Terminal make(
            SessionRequest asked, TerminalOrder order, SandboxId sandbox, Caller caller, @Nullable Admitted guest) {
        var agent = access.agent(sandbox.value(), caller);
        boolean own = asked.sandboxId() == null;
        if (guest != null) {
            ways.guests().handOver(asked.secrets(), guest.grant(), agent, order.run());
        }
        var wish = new Wish(
                Door.SESSION,
                sandbox,
                order,
                asked.life(settings),
                own,
                Boolean.TRUE.equals(asked.record()),
                asked.sealing());
        return guest == null
                ? maker.make(wish, agent, caller)
                : maker.make(
                        wish,
                        agent,
                        caller,
                        reserved -> ways.guests().granted(reserved, asked.secrets(), guest.grant()));
    }
}
