package io.bivouac.foundation.access;

import io.micronaut.core.annotation.Nullable;
import io.micronaut.data.annotation.Id;
import io.micronaut.data.annotation.MappedEntity;
import java.time.Instant;

/**
 * A key as it is stored.
 *
 * @param prefix its first characters, by which people recognise it
 * @param hash SHA-256 of its text
 */
@MappedEntity("api_keys")
public record ApiKey(
        @Id String id,
        String projectId,
        String name,
        String prefix,
        byte[] hash,
        String role,
        boolean system,
        Instant createdAt,
        @Nullable Instant lastUsedAt,
        @Nullable Instant revokedAt) {
    public static final String PREFIX = "key_";

    Caller asCaller() {
        return new Caller(id, projectId, Role.ofWireName(role).orElseThrow(), system);
    }
}
