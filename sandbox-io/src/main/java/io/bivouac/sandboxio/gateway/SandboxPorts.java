package io.bivouac.sandboxio.gateway;

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
import jakarta.inject.Singleton;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;

/** The ports of running sandboxes on which programs listen, and links to them, for every front. Thread-safe. */
@Singleton
public class SandboxPorts {
    static final Duration USUAL_LINK = Duration.ofHours(1);
    static final Duration LONGEST_LINK = Duration.ofDays(7);

    private final Sandboxes sandboxes;
    private final PauseSandboxes pauses;
    private final AgentConnections agents;
    private final AccessTokens tokens;
    private final GatewayAddresses addresses;
    private final Links links;

    /** Makes links that are good from now on. */
    @Singleton
    record Links(PreviewLinks signing, Clock clock) {
        Link make(Target target, int generation, Duration time, String address) {
            var until = clock.instant().plus(time).truncatedTo(ChronoUnit.SECONDS);
            var signature = signing.make(PreviewLinks.Kind.LINK, target, generation, until);
            return new Link(address + "?" + PreviewLinks.PARAMETER + "=" + signature, until);
        }
    }

    SandboxPorts(
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
     * @param program the name of the program; null when that cannot be told
     * @param url where the gateway has it, for callers that send a key or the sandbox's access token
     */
    public record OpenPort(int port, @Nullable String program, String url) {}

    /** @param url for a browser; whoever has it may use the port until then */
    public record Link(String url, Instant expiresAt) {}

    /** Waits for the agent. */
    public List<OpenPort> list(SandboxId id, Caller caller) {
        mustRun(id, caller);
        return agents.get(id).ports().stream().map(port -> open(id, port)).toList();
    }

    private OpenPort open(SandboxId id, ListeningPort port) {
        var program = port.getProgram().isBlank() ? null : port.getProgram();
        return new OpenPort(port.getPort(), program, addresses.url(new Target(id, port.getPort())));
    }

    /** @param seconds how long the link is good; null for the usual time */
    public Link link(SandboxId id, int port, @Nullable Long seconds, Caller caller) {
        caller.mustBe(Role.DEVELOPER);
        if (port < 1 || port > Target.LARGEST_PORT) {
            throw new BivouacException(
                    ErrorCode.INVALID_REQUEST, "The port must be between 1 and " + Target.LARGEST_PORT + ".");
        }
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
