package io.bivouac.events;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.micronaut.core.annotation.Nullable;
import io.micronaut.serde.annotation.Serdeable;

/** The data of {@code agent.*} events. A disconnect says why; a connect says which version arrived. */
@Serdeable
@JsonInclude(JsonInclude.Include.NON_NULL)
public record AgentData(
        String sandboxId,
        @Nullable String agentVersion,
        @Nullable String reason) implements EventData {}
