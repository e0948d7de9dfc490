package io.bivouac.terminalrelay.pty;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import io.bivouac.agentlink.SandboxAccess;
import io.bivouac.foundation.access.Caller;
import io.bivouac.http.Refuses;
import io.bivouac.sandboxmodel.error.ErrorCode;
import io.bivouac.terminalrelay.sealed.Sealing;
import io.bivouac.terminalrelay.socket.SocketAddresses;
import io.bivouac.terminalrelay.socket.TerminalPaths;
import io.bivouac.terminalrelay.terminal.Door;
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
import io.micronaut.http.annotation.Status;
import io.micronaut.json.tree.JsonNode;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import io.micronaut.serde.annotation.Serdeable;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.util.Map;

/** Makes a PTY; its WebSocket is opened afterwards. */
@Tag(name = "terminals")
@Controller(TerminalPaths.PTYS)
@ExecuteOn(TaskExecutors.BLOCKING)
class CreatePty {
    private final SandboxAccess access;
    private final TerminalMaker maker;
    private final TerminalSettings settings;
    private final SocketAddresses addresses;

    CreatePty(SandboxAccess access, TerminalMaker maker, TerminalSettings settings, SocketAddresses addresses) {
        this.access = access;
        this.maker = maker;
        this.settings = settings;
        this.addresses = addresses;
    }

    /** The sandbox's shell in 80 columns and 24 rows, unless it says otherwise. */
    @Serdeable
    @JsonIgnoreProperties(ignoreUnknown = false)
    record Request(
            @Schema(minimum = "1", maximum = "1000") @Nullable Integer cols,

            @Schema(minimum = "1", maximum = "1000") @Nullable Integer rows,

            @Schema(ref = "#/components/schemas/Command") @Nullable JsonNode command,

            @Schema(maxLength = 4096, example = "/tmp") @Nullable String cwd,

            @Schema(maxProperties = 1024) @Nullable Map<String, String> envs,

            @Schema(maxLength = 64, example = "root") @Nullable String user,

            @Nullable Boolean record,
            @Nullable Boolean sealed,

            @Schema(pattern = "^[A-Za-z0-9+/]{43}=$", example = "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=")
            @Nullable String publicKey,

            @Nullable Boolean ticketInUrl) {
        private static final Request USUAL = new Request(null, null, null, null, null, null, null, null, null, null);
    }

    @Post
    @Status(HttpStatus.CREATED)
    @Refuses({ErrorCode.COMMAND_FAILED, ErrorCode.UNSUPPORTED_BY_RUNTIME, ErrorCode.PTY_ERROR})
    @Operation(operationId = "createPty", summary = "Make a PTY")
    HttpResponse<PtyView> create(
            String id, @Nullable @Body Request body, HttpRequest<?> http, @Parameter(hidden = true) Caller caller) {
        var asked = body == null ? Request.USUAL : body;
        var order =
                TerminalOrder.of(asked.cols(), asked.rows(), asked.command(), asked.cwd(), asked.envs(), asked.user());
        var sealing = Sealing.of(asked.sealed(), asked.publicKey());
        var agent = access.agent(id, caller);
        var wish = new Wish(
                Door.PTY,
                agent.sandbox(),
                order,
                settings.getLongestTimeout(),
                false,
                Boolean.TRUE.equals(asked.record()),
                sealing);
        var terminal = maker.make(wish, agent, caller);
        var way = addresses.way(
                http, PtyView.path(terminal), caller, terminal.id(), Boolean.TRUE.equals(asked.ticketInUrl()));
        return HttpResponse.created(PtyView.of(terminal, way.url(), way.protocols(), terminal.createdAt()));
    }
}
