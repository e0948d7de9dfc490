package io.bivouac.terminalrelay.pty;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import io.bivouac.agentlink.SandboxAccess;
import io.bivouac.foundation.access.Caller;
import io.bivouac.foundation.access.Role;
import io.bivouac.http.Listing;
import io.bivouac.http.Refuses;
import io.bivouac.sandboxmodel.error.BivouacException;
import io.bivouac.sandboxmodel.error.ErrorCode;
import io.bivouac.terminalrelay.socket.SocketAddresses;
import io.bivouac.terminalrelay.socket.TerminalPaths;
import io.bivouac.terminalrelay.terminal.Door;
import io.bivouac.terminalrelay.terminal.EndReason;
import io.bivouac.terminalrelay.terminal.Terminal;
import io.bivouac.terminalrelay.terminal.TerminalMaker;
import io.bivouac.terminalrelay.terminal.TerminalOrder;
import io.bivouac.terminalrelay.terminal.TerminalResize;
import io.bivouac.terminalrelay.terminal.Terminals;
import io.micronaut.core.annotation.Nullable;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.annotation.Body;
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

/** Looks at PTYs, resizes and ends them. */
@Tag(name = "terminals")
@Controller(TerminalPaths.PTYS)
@ExecuteOn(TaskExecutors.BLOCKING)
class ManagePty {
    private final SandboxAccess access;
    private final Terminals terminals;
    private final TerminalMaker maker;
    private final SocketAddresses addresses;

    ManagePty(SandboxAccess access, Terminals terminals, TerminalMaker maker, SocketAddresses addresses) {
        this.access = access;
        this.terminals = terminals;
        this.maker = maker;
        this.addresses = addresses;
    }

    @Serdeable
    @JsonIgnoreProperties(ignoreUnknown = false)
    record Size(
            @Schema(requiredMode = Schema.RequiredMode.REQUIRED, minimum = "1", maximum = "1000") @Nullable Integer cols,

            @Schema(requiredMode = Schema.RequiredMode.REQUIRED, minimum = "1", maximum = "1000") @Nullable Integer rows) {}

    @Serdeable
    record Resized(String id, int cols, int rows) {}

    @Serdeable
    record Way(String websocketUrl, List<String> protocols) {}

    @Get
    @Operation(operationId = "listPtys", summary = "List a sandbox's PTYs")
    Listing<PtyView> list(
            String id,
            @Nullable @QueryValue String cursor,
            @Nullable @QueryValue Integer limit,
            HttpRequest<?> http,
            @Parameter(hidden = true) Caller caller) {
        var page = terminals.list(caller, Door.PTY, id, cursor, Listing.limit(limit));
        return Listing.of(page.map(terminal -> view(terminal, http)));
    }

    @Get("/{ptyId}")
    @Operation(operationId = "getPty", summary = "Look at a PTY")
    PtyView get(String id, String ptyId, HttpRequest<?> http, @Parameter(hidden = true) Caller caller) {
        return view(terminals.getIn(id, ptyId, caller), http);
    }

    @Post("/{ptyId}/resize")
    @Refuses(ErrorCode.PTY_ERROR)
    @Operation(operationId = "resizePty", summary = "Resize a PTY")
    Resized resize(String id, String ptyId, @Body Size size, @Parameter(hidden = true) Caller caller) {
        caller.mustBe(Role.DEVELOPER);
        if (size.cols() == null || size.rows() == null) {
            throw BivouacException.invalidRequest("cols and rows are needed.");
        }
        int columns = TerminalOrder.size(size.cols(), TerminalOrder.COLUMNS, "cols");
        int rows = TerminalOrder.size(size.rows(), TerminalOrder.ROWS, "rows");
        var terminal = mustLive(terminals.getIn(id, ptyId, caller));
        TerminalResize.of(terminal, columns, rows, access.agent(id, caller));
        return new Resized(ptyId, columns, rows);
    }

    @Post("/{ptyId}/ticket")
    @Operation(operationId = "makePtyTicket", summary = "Get a one-time ticket for a PTY's WebSocket")
    Way ticket(
            String id,
            String ptyId,
            @Nullable @QueryValue Boolean ticketInUrl,
            HttpRequest<?> http,
            @Parameter(hidden = true) Caller caller) {
        var terminal = mustLive(terminals.getIn(id, ptyId, caller));
        var way = addresses.way(http, PtyView.path(terminal), caller, terminal.id(), Boolean.TRUE.equals(ticketInUrl));
        return new Way(way.url(), way.protocols());
    }

    @Delete("/{ptyId}")
    @Status(HttpStatus.NO_CONTENT)
    @Operation(operationId = "endPty", summary = "End a PTY")
    void end(String id, String ptyId, @Parameter(hidden = true) Caller caller) {
        caller.mustBe(Role.DEVELOPER);
        var terminal = terminals.getIn(id, ptyId, caller);
        if (!terminal.isOver()) {
            maker.endWhenReached(terminal, EndReason.USER, () -> access.agent(id, caller));
        }
    }

    private static Terminal mustLive(Terminal terminal) {
        if (terminal.isOver()) {
            throw new BivouacException(ErrorCode.PTY_NOT_FOUND, "The terminal is over.");
        }
        return terminal;
    }

    private PtyView view(Terminal terminal, HttpRequest<?> http) {
        return PtyView.of(terminal, addresses.url(http, PtyView.path(terminal)), null, terminals.now());
    }
}
