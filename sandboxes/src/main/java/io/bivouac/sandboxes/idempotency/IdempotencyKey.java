package io.bivouac.sandboxes.idempotency;

import io.micronaut.core.annotation.Nullable;
import io.micronaut.data.annotation.Id;
import io.micronaut.data.annotation.MappedEntity;
import java.time.Instant;

/** A caller's key, what was asked under it and what was answered. */
@MappedEntity("idempotency_keys")
public record IdempotencyKey(
        String projectId,
        @Id String key,
        byte[] requestHash,
        String sandboxId,
        @Nullable String response,
        Instant createdAt) {}
