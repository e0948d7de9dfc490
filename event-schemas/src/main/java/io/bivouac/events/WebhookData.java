package io.bivouac.events;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.micronaut.core.annotation.Nullable;
import io.micronaut.serde.annotation.Serdeable;

/**
 * The data of {@code webhook.*} events.
 *
 * @param reason why the endpoint was disabled: {@code gone} (it answered 410) or {@code failing} (for days)
 */
@Serdeable
@JsonInclude(JsonInclude.Include.NON_NULL)
public record WebhookData(
        String endpointId, String url, @Nullable String reason) implements EventData {}
