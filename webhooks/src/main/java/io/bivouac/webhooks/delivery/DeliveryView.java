package io.bivouac.webhooks.delivery;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.micronaut.core.annotation.Nullable;
import io.micronaut.core.type.Argument;
import io.micronaut.json.JsonMapper;
import io.micronaut.serde.annotation.Serdeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.List;

/**
 * A delivery as its project sees it.
 *
 * @param eventId also the {@code webhook-id} of every attempt
 * @param state {@code waiting}, {@code delivered}, {@code dead} or {@code cancelled}
 * @param attempts the last ones, the oldest first
 */
@Serdeable
@JsonInclude(JsonInclude.Include.ALWAYS)
public record DeliveryView(
        String id,
        String endpointId,
        String eventId,
        String type,
        String subject,
        String state,
        List<Attempt> attempts,
        @Nullable Instant nextAttemptAt,
        Instant createdAt,
        Instant updatedAt) {
    private static final Argument<List<Attempt>> ATTEMPTS = Argument.listOf(Attempt.class);

    public static DeliveryView of(DeliveryRow row, JsonMapper json) {
        try {
            return new DeliveryView(
                    row.id(),
                    row.endpointId(),
                    row.eventId(),
                    row.type(),
                    row.subject(),
                    row.state(),
                    json.readValue(row.log(), ATTEMPTS),
                    row.dueAt(),
                    row.createdAt(),
                    row.updatedAt());
        } catch (IOException foreign) {
            throw new UncheckedIOException("the log of " + row.id() + " cannot be read", foreign);
        }
    }
}
