package io.bivouac.functions.key;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.bivouac.foundation.access.ApiKey;
import io.micronaut.core.annotation.Nullable;
import io.micronaut.serde.annotation.Serdeable;
import java.time.Instant;

/**
 * A key as its project sees it.
 *
 * @param key the text itself, shown once, when it is made
 */
@Serdeable
@JsonInclude(JsonInclude.Include.NON_NULL)
record KeyView(
        String id,
        String name,
        String prefix,
        String role,
        boolean system,
        Instant createdAt,
        @Nullable Instant lastUsedAt,
        @Nullable Instant revokedAt,
        @Nullable String key) {
    static KeyView of(ApiKey key, @Nullable String text) {
        return new KeyView(
                key.id(),
                key.name(),
                key.prefix(),
                key.role(),
                key.system(),
                key.createdAt(),
                key.lastUsedAt(),
                key.revokedAt(),
                text);
    }
}
