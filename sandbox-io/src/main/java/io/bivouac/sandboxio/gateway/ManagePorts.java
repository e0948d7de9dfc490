package io.bivouac.sandboxio.gateway;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import io.bivouac.foundation.access.Caller;
import io.bivouac.foundation.access.Role;
import io.bivouac.sandboxes.lifecycle.Sandboxes;
import io.bivouac.sandboxes.token.AccessTokens;
import io.bivouac.sandboxmodel.SandboxId;
import io.micronaut.core.annotation.Nullable;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.Post;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import io.micronaut.serde.annotation.Serdeable;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.time.Instant;
import java.util.List;

/** Lists the ports of a sandbox on which programs listen, and gives what opens them. */
@Tag(name = "ports")
@Controller("/api/v1/sandboxes/{id}")
@ExecuteOn(TaskExecutors.BLOCKING)
class ManagePorts {
    private final SandboxPorts ports;
    private final Sandboxes sandboxes;
    private final AccessTokens tokens;

    ManagePorts(SandboxPorts ports, Sandboxes sandboxes, AccessTokens tokens) {
        this.ports = ports;
        this.sandboxes = sandboxes;
        this.tokens = tokens;
    }

    /**
     * A port on which a program listens.
     *
     * @param program the name of the program; absent when that cannot be told
     * @param url where the gateway has it, for callers that send a key or the sandbox's access token
     */
    @Serdeable
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record PortView(int port, @Nullable String program, String url) {}

    @Serdeable
    @JsonInclude(JsonInclude.Include.ALWAYS)
    @Schema(name = "ManagePorts.Ports")
    record PortsView(List<PortView> items, @Nullable String nextCursor) {}

    /** @param expiresInSeconds how long the link is good; an hour when absent */
    @Serdeable
    @JsonIgnoreProperties(ignoreUnknown = false)
    record LinkRequest(@Nullable Long expiresInSeconds) {}

    /** @param url for a browser; whoever has it may use the port until then */
    @Serdeable
    record LinkView(String url, Instant expiresAt) {}

    @Serdeable
    record AccessTokenView(String accessToken) {}

    @Get("/ports")
    @Operation(operationId = "listPorts", summary = "Lists the ports on which programs listen right now")
    PortsView list(
            @Parameter(schema = @Schema(type = "string")) SandboxId id, @Parameter(hidden = true) Caller caller) {
        var found = ports.list(id, caller).stream()
                .map(port -> new PortView(port.port(), port.program(), port.url()))
                .toList();
        return new PortsView(found, null);
    }

    @Post("/ports/{port}/link")
    @Operation(operationId = "createPortLink", summary = "Gives a link by which a browser reaches a port")
    LinkView link(
            @Parameter(schema = @Schema(type = "string")) SandboxId id,
            int port,
            @Nullable @Body LinkRequest request,
            @Parameter(hidden = true) Caller caller) {
        var link = ports.link(id, port, request == null ? null : request.expiresInSeconds(), caller);
        return new LinkView(link.url(), link.expiresAt());
    }

    @Post("/access-token")
    @Operation(operationId = "renewAccessToken", summary = "Gives the sandbox a new access token and ends the old one")
    AccessTokenView renew(
            @Parameter(schema = @Schema(type = "string")) SandboxId id, @Parameter(hidden = true) Caller caller) {
        caller.mustBe(Role.DEVELOPER);
        var sandbox = sandboxes.get(id, caller);
        return new AccessTokenView(tokens.renew(sandbox.id(), caller));
    }
}
