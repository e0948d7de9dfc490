package io.bivouac.terminalrelay.door;

import io.bivouac.sandboxes.SandboxId;
import io.bivouac.sandboxes.access.Caller;
import io.bivouac.sandboxes.access.Role;
import io.bivouac.sandboxes.error.BivouacException;
import io.bivouac.sandboxes.error.ErrorCode;
import io.bivouac.terminalrelay.process.SandboxAccess;
import io.bivouac.terminalrelay.sealed.SealingRule;
import io.bivouac.terminalrelay.terminal.Door;
import io.bivouac.terminalrelay.terminal.Terminal;
import io.bivouac.terminalrelay.terminal.TerminalMaker;
import io.bivouac.terminalrelay.terminal.TerminalOrder;
import io.bivouac.terminalrelay.terminal.TerminalSettings;
import io.bivouac.terminalrelay.terminal.Terminals.Wish;
import io.micronaut.core.annotation.Nullable;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Post;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.tags.Tag;

/** Starts a terminal session, in a sandbox that exists or in one of its own. */
@Tag(name = "sessions")
@Controller(Paths.SESSIONS)
@ExecuteOn(TaskExecutors.BLOCKING)
class CreateSession {
    private final SandboxAccess access;
    private final TerminalMaker maker;
    private final TerminalSettings settings;
    private final SocketAddresses addresses;
    private final SealingRule sealings;
    private final @Nullable SessionSandboxes sandboxes;

    CreateSession(
            SandboxAccess access,
            TerminalMaker maker,
            TerminalSettings settings,
            SocketAddresses addresses,
            SealingRule sealings,
            @Nullable SessionSandboxes sandboxes) {
        this.access = access;
        this.maker = maker;
        this.settings = settings;
        this.addresses = addresses;
        this.sealings = sealings;
        this.sandboxes = sandboxes;
    }

    @Post
    @Operation(summary = "Start a terminal session")
    HttpResponse<SessionView> create(
            @Body SessionRequest asked, HttpRequest<?> http, @Parameter(hidden = true) Caller caller) {
        caller.mustBe(Role.DEVELOPER);
        var order = asked.order();
        // Before a sandbox is made for it.
        sealings.check(asked.sealing());
        var terminal = asked.sandboxId() == null ? inItsOwn(asked, order, caller) : in(asked, order, caller);
        var url = addresses.url(http, Paths.SESSIONS + "/" + terminal.id() + "/ws");
        return HttpResponse.created(
                SessionView.of(terminal, url, addresses.protocols(http, caller, terminal.id()), terminal.createdAt()));
    }

    private Terminal in(SessionRequest asked, TerminalOrder order, Caller caller) {
        return make(asked, order, SandboxId.parse(asked.sandboxId()), false, caller);
    }

    private Terminal inItsOwn(SessionRequest asked, TerminalOrder order, Caller caller) {
        if (sandboxes == null) {
            throw new BivouacException(
                    ErrorCode.UNSUPPORTED_BY_RUNTIME, "This relay makes no sandboxes; name one by sandboxId.");
        }
        maker.mustHavePlace(Door.SESSION, caller);
        var sandbox = sandboxes.make(asked.template(), asked.life(settings), caller);
        boolean made = false;
        try {
            var terminal = make(asked, order, sandbox, true, caller);
            made = true;
            return terminal;
        } finally {
            if (!made) {
                sandboxes.discard(sandbox);
            }
        }
    }

    private Terminal make(SessionRequest asked, TerminalOrder order, SandboxId sandbox, boolean own, Caller caller) {
        var agent = access.agent(sandbox.value(), caller);
        var wish = new Wish(
                Door.SESSION,
                sandbox,
                order,
                asked.life(settings),
                own,
                Boolean.TRUE.equals(asked.record()),
                asked.sealing());
        return maker.make(wish, agent, caller);
    }
}
