package io.bivouac.webhooks.endpoint;

import io.micronaut.core.annotation.Nullable;
import io.micronaut.data.annotation.Id;
import io.micronaut.data.annotation.MappedEntity;
import java.time.Instant;

/** An endpoint as the table has it. */
@MappedEntity("webhook_endpoints")
record EndpointRow(
        @Id String id,
        String projectId,
        String url,
        @Nullable String description,
        String types,
        boolean enabled,
        @Nullable String disabledReason,
        @Nullable Instant disabledAt,
        String retry,
        boolean fifo,
        @Nullable Integer rateLimit,
        int concurrency,
        String signing,
        byte[] secret,
        @Nullable byte[] previousSecret,
        @Nullable Instant previousUntil,
        @Nullable Instant failingSince,
        long sequence,
        long version,
        long generation,
        Instant createdAt,
        Instant updatedAt,
        @Nullable Instant deletedAt) {}
