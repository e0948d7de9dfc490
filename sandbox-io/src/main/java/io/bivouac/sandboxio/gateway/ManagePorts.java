package io.bivouac.sandboxio.gateway;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import io.bivouac.agent.v1.ListeningPort;
import io.bivouac.agentlink.AgentConnections;
import io.bivouac.foundation.access.Caller;
import io.bivouac.foundation.access.Role;
import io.bivouac.sandboxes.lifecycle.PauseSandboxes;
import io.bivouac.sandboxes.lifecycle.Sandboxes;
import io.bivouac.sandboxes.token.AccessTokens;
import io.bivouac.sandboxmodel.SandboxId;
import io.bivouac.sandboxmodel.SandboxState;
import io.bivouac.sandboxmodel.error.BivouacException;
import io.bivouac.sandboxmodel.error.ErrorCode;
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
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;

/** Lists the ports of a sandbox on which programs listen, and gives what opens them. */
@Tag(name = "ports")
@Controller("/api/v1/sandboxes/{id}")
@ExecuteOn(TaskExecutors.BLOCKING)
class ManagePorts {
    static final Duration USUAL_LINK = Duration.ofHours(1);
    static final Duration LONGEST_LINK = Duration.ofDays(7);

    private final Sandboxes sandboxes;
    private final PauseSandboxes pauses;
    private final AgentConnections agents;
    private final AccessTokens tokens;
    private final GatewayAddresses addresses;
    private final Links links;

    /** Makes links that are good from now on. */
    @jakarta.inject.Singleton
    record Links(PreviewLinks signing, Clock clock) {
        LinkView make(Target target, int generation, Duration time, String address) {
            var until = clock.instant().plus(time).truncatedTo(ChronoUnit.SECONDS);
            var signature = signing.make(PreviewLinks.Kind.LINK, target, generation, until);
            return new LinkView(address + "?" + PreviewLinks.PARAMETER + "=" + signature, until);
        }
    }

    ManagePorts(
            Sandboxes sandboxes,
            PauseSandboxes pauses,
            AgentConnections agents,
            AccessTokens tokens,
            GatewayAddresses addresses,
            Links links) {
        this.sandboxes = sandboxes;
        this.pauses = pauses;
        this.agents = agents;
        this.tokens = tokens;
        this.addresses = addresses;
        this.links = links;
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
        mustRun(id, caller);
        return new PortsView(
                agents.get(id).ports().stream().map(port -> view(id, port)).toList(), null);
    }

    private PortView view(SandboxId id, ListeningPort port) {
        var program = port.getProgram().isBlank() ? null : port.getProgram();
        return new PortView(port.getPort(), program, addresses.url(new Target(id, port.getPort())));
    }

    @Post("/ports/{port}/link")
    @Operation(operationId = "createPortLink", summary = "Gives a link by which a browser reaches a port")
    LinkView link(
            @Parameter(schema = @Schema(type = "string")) SandboxId id,
            int port,
            @Nullable @Body LinkRequest request,
            @Parameter(hidden = true) Caller caller) {
        caller.mustBe(Role.DEVELOPER);
        if (port < 1 || port > Target.LARGEST_PORT) {
            throw new BivouacException(
                    ErrorCode.INVALID_REQUEST, "The port must be between 1 and " + Target.LARGEST_PORT + ".");
        }
        var seconds = request == null ? null : request.expiresInSeconds();
        var time = seconds == null ? USUAL_LINK : Duration.ofSeconds(seconds);
        if (time.compareTo(Duration.ofSeconds(1)) < 0 || time.compareTo(LONGEST_LINK) > 0) {
            throw new BivouacException(
                    ErrorCode.INVALID_REQUEST,
                    "expiresInSeconds must be between 1 and " + LONGEST_LINK.toSeconds() + ".");
        }
        var sandbox = sandboxes.get(id, caller);
        var target = new Target(sandbox.id(), port);
        return links.make(target, tokens.generation(sandbox.id()), time, addresses.browserUrl(target));
    }

    @Post("/access-token")
    @Operation(operationId = "renewAccessToken", summary = "Gives the sandbox a new access token and ends the old one")
    AccessTokenView renew(
            @Parameter(schema = @Schema(type = "string")) SandboxId id, @Parameter(hidden = true) Caller caller) {
        caller.mustBe(Role.DEVELOPER);
        var sandbox = sandboxes.get(id, caller);
        return new AccessTokenView(tokens.renew(sandbox.id(), caller));
    }

    private void mustRun(SandboxId id, Caller caller) {
        caller.mustBe(Role.VIEWER);
        var sandbox = pauses.awake(sandboxes.get(id, caller), caller);
        if (sandbox.state() != SandboxState.RUNNING) {
            throw new BivouacException(
                    ErrorCode.SANDBOX_NOT_RUNNING,
                    "Sandbox " + id + " is " + sandbox.shownState() + "; its ports are listed while it runs.");
        }
    }
}
