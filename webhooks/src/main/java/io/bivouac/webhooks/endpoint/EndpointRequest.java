package io.bivouac.webhooks.endpoint;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import io.micronaut.core.annotation.Nullable;
import io.micronaut.serde.annotation.Serdeable;
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
        @Nullable String url,
        @Nullable List<String> types,
        @Nullable String description,
        @Nullable Boolean enabled,
        @Nullable String retry,
        @Nullable Boolean fifo,
        @Nullable Integer rateLimit,
        @Nullable Integer concurrency,
        @Nullable String signing) {}
