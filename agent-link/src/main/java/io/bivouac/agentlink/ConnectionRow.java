package io.bivouac.agentlink;

import io.micronaut.core.annotation.Nullable;
import io.micronaut.data.annotation.Id;
import io.micronaut.data.annotation.MappedEntity;
import java.time.Instant;

/**
 * Which relay holds, or held last, the connection of a sandbox's agent.
 *
 * @param agentAddress of the relay: where it is reached by TLS
 */
@MappedEntity("agent_connections")
record ConnectionRow(
        @Id String sandboxId,
        String relay,
        long epoch,
        Instant connectedAt,
        @Nullable Instant disconnectedAt,
        byte[] secretsKey,
        @Nullable String agentAddress) {}
