package io.bivouac.foundation.outbox;

import io.micronaut.data.annotation.Id;
import io.micronaut.data.annotation.MappedEntity;
import java.time.Instant;

/**
 * An event as it is written. Its position is the database's, and nobody asks for it here: to be told generated
 * values, the driver would send each row by itself and wait for the answer.
 */
@MappedEntity("events")
record NewEvent(
        @Id String id,
        String projectId,
        String subject,
        long sequence,
        String type,
        Instant occurredAt,
        String envelope) {}
