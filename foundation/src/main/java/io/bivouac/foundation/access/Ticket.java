package io.bivouac.foundation.access;

import io.micronaut.core.annotation.Nullable;
import io.micronaut.data.annotation.Id;
import io.micronaut.data.annotation.MappedEntity;
import java.time.Instant;

/** A one-time login as it is stored. */
@MappedEntity("tickets")
public record Ticket(
        @Id String hash,
        String subject,
        String callerId,
        String projectId,
        String role,
        boolean system,
        @Nullable String origin,
        Instant expiresAt) {
    public Caller caller() {
        return new Caller(callerId, projectId, Role.ofStored(role), system, Login.BY_TICKET);
    }
}
