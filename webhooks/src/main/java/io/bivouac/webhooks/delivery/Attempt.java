package io.bivouac.webhooks.delivery;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.micronaut.core.annotation.Nullable;
import io.micronaut.serde.annotation.Serdeable;
import java.time.Instant;

/**
 * One try.
 *
 * @param status of the answer; null when there was none
 * @param error why there was none
 * @param response the beginning of the answer's body, up to 16 kB; control characters are replaced. Listings leave it out
 */
@Serdeable
@JsonInclude(JsonInclude.Include.NON_NULL)
public record Attempt(
        Instant at,
        long durationMs,
        @Nullable Integer status,
        @Nullable String error,
        @Nullable String response) {
    /** Without what the receiver said. */
    Attempt wordless() {
        return new Attempt(at, durationMs, status, "what came back cannot be written down", null);
    }
}
