package io.bivouac.events;

import io.micronaut.core.annotation.Nullable;
import io.micronaut.serde.annotation.Serdeable;

/** The data of {@code agent.*} events. A disconnect says why; a connect says which version arrived. */
@Serdeable
public record AgentData(
        String sandboxId,
        @Nullable String agentVersion,
        @Nullable String reason) implements EventData {}
