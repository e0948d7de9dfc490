package io.bivouac.sandboxio.code;

import io.micronaut.core.annotation.Nullable;
import io.micronaut.json.tree.JsonNode;
import io.micronaut.serde.annotation.Serdeable;
import io.swagger.v3.oas.annotations.media.Schema;
import java.util.List;

/**
 * A whole run of code; {@link CodeJson} writes it.
 *
 * @param error what the code raised; null when it raised nothing
 * @param executionCount of its session
 * @param session whether the variables are still there: kept or lost
 * @param truncated whether there was more output than is collected
 */
@Serdeable
record CodeRunView(
        String executionId,
        String sessionId,
        String stdout,
        String stderr,
        List<Result> results,
        @Nullable Raised error,
        boolean ok,
        long executionCount,
        long durationMs,

        @Schema(allowableValues = {"kept", "lost"}) String session,

        boolean timedOut,
        boolean truncated) {
    /** A value by media type, and a chart's data. */
    @Serdeable
    record Result(
            String id,
            boolean main,
            @Schema(type = "object") JsonNode mimeBundle,

            @Schema(type = "object") @Nullable JsonNode chart) {}

    @Serdeable
    record Raised(String name, String value, String traceback) {}
}
