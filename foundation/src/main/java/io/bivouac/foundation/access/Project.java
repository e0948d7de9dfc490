package io.bivouac.foundation.access;

import io.micronaut.data.annotation.Id;
import io.micronaut.data.annotation.MappedEntity;
import io.micronaut.serde.annotation.Serdeable;
import java.time.Instant;

/** A tenant: sandboxes, keys and events belong to exactly one. */
@Serdeable
@MappedEntity("projects")
public record Project(@Id String id, String name, int sandboxLimit, Instant createdAt) {
    public static final String PREFIX = "prj_";
}
