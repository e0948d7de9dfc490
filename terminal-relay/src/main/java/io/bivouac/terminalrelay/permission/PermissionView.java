package io.bivouac.terminalrelay.permission;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.micronaut.core.annotation.Nullable;
import io.micronaut.serde.annotation.Serdeable;
import java.time.Instant;
import java.util.List;

/**
 * A question for permission as clients see it.
 *
 * @param sessionId the terminal that asks
 * @param input the beginning of the tool's input, which has {@code inputBytes} in all
 * @param quorum how many have to say yes
 * @param grantedUntil until then the same question needs no answer
 * @param scopes how far a yes may reach; only for questions about the network
 * @param scope how far it reaches
 */
@Serdeable
@JsonInclude(JsonInclude.Include.NON_NULL)
record PermissionView(
        String id,
        String state,
        String sandboxId,
        @Nullable String sessionId,
        String source,
        String action,
        String resource,
        String description,
        String cwd,
        String input,
        int inputBytes,
        int quorum,
        Instant createdAt,
        Instant expiresAt,
        @Nullable Instant decidedAt,
        @Nullable String decidedBy,
        @Nullable String reason,
        @Nullable Instant grantedUntil,
        @Nullable List<String> scopes,
        @Nullable String scope) {
    static PermissionView of(PermissionRequest request) {
        return new PermissionView(
                request.id(),
                request.state(),
                request.sandboxId(),
                request.terminalId(),
                request.source(),
                request.action(),
                request.resource(),
                request.description(),
                request.cwd(),
                request.input(),
                request.inputBytes(),
                request.quorum(),
                request.createdAt(),
                request.expiresAt(),
                request.decidedAt(),
                request.decidedBy(),
                request.reason(),
                request.grantedUntil(),
                request.scopes(),
                request.scope());
    }
}
