package io.bivouac.functions.sandbox;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.bivouac.sandboxes.ByteSize;
import io.bivouac.sandboxes.Resources;
import io.bivouac.sandboxes.Sandbox;
import io.micronaut.core.annotation.Nullable;
import io.micronaut.serde.annotation.Serdeable;
import java.time.Instant;
import java.util.Map;

/**
 * A sandbox as clients see it.
 *
 * @param timeline where the time of its start went; only in the answer to a create
 * @param accessToken opens the sandbox's own ports; only in the answer to a create
 */
@Serdeable
@JsonInclude(JsonInclude.Include.NON_NULL)
record SandboxView(
        String id,
        @Nullable String name,
        String state,
        @Nullable String stateReason,
        @Nullable String stopReason,
        String template,
        Instant createdAt,
        Instant expiresAt,
        Instant updatedAt,
        ResourcesView resources,
        Map<String, String> labels,
        @Nullable String workspace,
        @Nullable Timeline timeline,
        @Nullable String accessToken) {

    /** Sizes as people write them. */
    @Serdeable
    record ResourcesView(double cpu, String memory, String disk) {
        static ResourcesView of(Resources resources) {
            return new ResourcesView(
                    resources.cpu(), ByteSize.format(resources.memoryBytes()), ByteSize.format(resources.diskBytes()));
        }
    }

    /** In milliseconds: waiting for a place, the runtime's part, and the agent's way to the relay. */
    @Serdeable
    record Timeline(double queuedMs, double runtimeMs, double agentMs) {}

    static SandboxView of(Sandbox sandbox) {
        return of(sandbox, null);
    }

    static SandboxView of(Sandbox sandbox, @Nullable Timeline timeline) {
        var definition = sandbox.definition();
        var status = sandbox.status();
        return new SandboxView(
                sandbox.id().value(),
                definition.name(),
                status.state().wireName(),
                status.reason(),
                status.stopReason() == null ? null : status.stopReason().wireName(),
                definition.template(),
                sandbox.lifetime().createdAt(),
                sandbox.lifetime().expiresAt(),
                sandbox.updatedAt(),
                ResourcesView.of(definition.resources()),
                definition.labels(),
                definition.workspace(),
                timeline,
                null);
    }

    SandboxView withAccessToken(String token) {
        return new SandboxView(
                id,
                name,
                state,
                stateReason,
                stopReason,
                template,
                createdAt,
                expiresAt,
                updatedAt,
                resources,
                labels,
                workspace,
                timeline,
                token);
    }
}
