package io.bivouac.sandboxio.code;

import io.micronaut.serde.annotation.Serdeable;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;

/**
 * An interpreter that keeps its variables.
 *
 * @param state dead when its interpreter has died; the next run has a fresh one
 */
@Serdeable
record CodeSessionView(
        String id,
        String language,
        String cwd,

        @Schema(allowableValues = {"starting", "idle", "busy", "dead"})
        String state,

        long executionCount,
        Instant createdAt,
        Instant usedAt) {
    static CodeSessionView of(CodeSessionStatus session) {
        return new CodeSessionView(
                session.id(),
                session.language(),
                session.cwd(),
                session.state(),
                session.executionCount(),
                session.createdAt(),
                session.usedAt());
    }
}
