package io.bivouac.foundation.outbox;

import io.micronaut.core.annotation.Nullable;
import io.micronaut.data.annotation.GeneratedValue;
import io.micronaut.data.annotation.Id;
import io.micronaut.data.annotation.MappedEntity;
import java.time.Instant;

/** An event as the table has it; the envelope is the exact text that is published. */
@MappedEntity("events")
public record EventRow(
        @Id @GeneratedValue @Nullable Long position,
        String id,
        String projectId,
        String subject,
        long sequence,
        String type,
        Instant occurredAt,
        String envelope,
        @Nullable Instant publishedAt) {}
