package io.bivouac.events;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.micronaut.core.annotation.Nullable;
import io.micronaut.serde.annotation.Serdeable;

/** The data of {@code webhook.*} events. */
@Serdeable
@JsonInclude(JsonInclude.Include.NON_NULL)
public record WebhookData(String endpointId, @Nullable String url, String reason) implements EventData {}
