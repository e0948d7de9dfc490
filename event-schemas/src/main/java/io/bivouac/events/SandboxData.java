package io.bivouac.events;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.micronaut.core.annotation.Nullable;
import io.micronaut.serde.annotation.Serdeable;
import java.time.Instant;
import java.util.Map;

/** The data of every {@code sandbox.*} event: the sandbox as it is after the change. */
@Serdeable
@JsonInclude(JsonInclude.Include.NON_NULL)
public record SandboxData(
        String id,
        @Nullable String name,
        String state,
        @Nullable String stateReason,
        @Nullable String stopReason,
        String template,
        Map<String, String> labels,
        Instant createdAt,
        Instant expiresAt)
        implements EventData {}
