package io.bivouac.terminalrelay.pty;

import io.bivouac.agentlink.SandboxAccess;
import io.bivouac.foundation.access.Caller;
import io.bivouac.foundation.access.Role;
import io.bivouac.http.Listing;
import io.bivouac.terminalrelay.socket.TerminalPaths;
import io.bivouac.terminalrelay.terminal.Attachments;
import io.bivouac.terminalrelay.terminal.Door;
import io.bivouac.terminalrelay.terminal.EndReason;
import io.bivouac.terminalrelay.terminal.TerminalMaker;
import io.bivouac.terminalrelay.terminal.Terminals;
import io.micronaut.core.annotation.Nullable;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Delete;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.QueryValue;
import io.micronaut.http.annotation.Status;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.util.List;

/** Lists and ends a project's open terminals, whatever they were made by: nobody is locked out by ones they cannot see. */
@Tag(name = "terminals")
@Controller(TerminalPaths.TERMINALS)
@ExecuteOn(TaskExecutors.BLOCKING)
class ManageTerminals {
    private final SandboxAccess access;
    private final Terminals terminals;
    private final TerminalMaker maker;
    private final Attachments attachments;

    ManageTerminals(SandboxAccess access, Terminals terminals, TerminalMaker maker, Attachments attachments) {
        this.access = access;
        this.terminals = terminals;
        this.maker = maker;
        this.attachments = attachments;
    }

    @Get
    @Operation(operationId = "listTerminals", summary = "List the project's open terminals, the newest first")
    Listing<TerminalView> list(
            @Nullable @QueryValue String sandboxId,
            @Nullable @QueryValue String cursor,
            @Nullable @QueryValue Integer limit,
            @Parameter(hidden = true) Caller caller) {
        var seats = attachments.seats();
        var now = terminals.now();
        var page = terminals.open(caller, sandboxId, cursor, Listing.limit(limit));
        return Listing.of(
                page.map(terminal -> TerminalView.of(terminal, seats.getOrDefault(terminal.id(), List.of()), now)));
    }

    @Delete("/{terminalId}")
    @Status(HttpStatus.NO_CONTENT)
    @Operation(operationId = "endTerminal", summary = "End a terminal")
    void end(String terminalId, @Parameter(hidden = true) Caller caller) {
        caller.mustBe(Role.DEVELOPER);
        var door = terminalId.startsWith(Door.SESSION.prefix()) ? Door.SESSION : Door.PTY;
        var terminal = terminals.get(terminalId, door, caller);
        if (!terminal.isOver()) {
            maker.endWhenReached(terminal, EndReason.USER, () -> access.agent(terminal.sandboxId(), caller));
        }
    }
}
