package io.bivouac.webhooks.endpoint;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import io.micronaut.core.annotation.Nullable;
import io.micronaut.serde.annotation.Serdeable;
import io.swagger.v3.oas.annotations.media.ArraySchema;
import io.swagger.v3.oas.annotations.media.Schema;
import java.util.List;

/**
 * What a caller wants of an endpoint, new or changed; what is left out stays as it is, or as it is by default.
 *
 * @param types such as {@code sandbox.*}; all by default
 * @param retry {@code long} (over three days) or {@code short} (1, 2 and 4 seconds)
 * @param fifo one at a time, in order
 * @param rateLimit deliveries a second; 0 for none
 * @param signing {@code v1}, or {@code v1a} for Ed25519 signatures beside those of {@code v1}
 */
@Serdeable
@JsonIgnoreProperties(ignoreUnknown = false)
record EndpointRequest(
        @Schema(pattern = "^[hH][tT][tT][pP][sS]?://", maxLength = 2048, example = "https://203.0.113.7/hooks")
        @Nullable String url,

        @ArraySchema(minItems = 1, maxItems = 50, schema = @Schema(example = "sandbox.*")) @Nullable List<String> types,

        @Schema(maxLength = 512) @Nullable String description,
        @Nullable Boolean enabled,

        @Schema(allowableValues = {"long", "short"}) @Nullable String retry,

        @Nullable Boolean fifo,
        @Schema(minimum = "0", maximum = "10000") @Nullable Integer rateLimit,
        @Schema(minimum = "1", maximum = "100") @Nullable Integer concurrency,
        @Schema(allowableValues = {"v1", "v1a"}) @Nullable String signing) {}
