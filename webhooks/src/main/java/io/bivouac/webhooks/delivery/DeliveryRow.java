package io.bivouac.webhooks.delivery;

import io.micronaut.core.annotation.Nullable;
import io.micronaut.data.annotation.Id;
import io.micronaut.data.annotation.MappedEntity;
import java.time.Instant;

/** A delivery as the table has it, without what is sent. */
@MappedEntity("webhook_deliveries")
public record DeliveryRow(
        @Id String id,
        String projectId,
        String endpointId,
        String eventId,
        String type,
        String subject,
        String state,
        int attempts,
        @Nullable Instant dueAt,
        String log,
        Instant createdAt,
        Instant updatedAt) {}
