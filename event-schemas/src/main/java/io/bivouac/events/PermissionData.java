package io.bivouac.events;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.micronaut.core.annotation.Nullable;
import io.micronaut.serde.annotation.Serdeable;
import java.time.Instant;

/**
 * The data of {@code permission.*} events: a question of a program in a sandbox, or its answer.
 *
 * @param expiresAt of a question: after this the answer is no; of a grant: until then it covers the same input
 * @param decision {@code allowed} or {@code denied}
 */
@Serdeable
@JsonInclude(JsonInclude.Include.NON_NULL)
public record PermissionData(
        String sandboxId,
        @Nullable String terminalId,
        String requestId,
        @Nullable String tool,
        @Nullable String summary,
        @Nullable String source,
        @Nullable String resource,
        @Nullable String cwd,
        @Nullable Instant expiresAt,
        @Nullable String decision,
        @Nullable String decidedBy,
        @Nullable String reason)
        implements EventData {}
