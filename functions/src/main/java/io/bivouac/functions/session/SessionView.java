package io.bivouac.functions.session;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.bivouac.sandboxes.access.Caller;
import io.micronaut.serde.annotation.Serdeable;
import java.time.Instant;

/** Who is logged in, as the console shows it. */
@Serdeable
@JsonInclude(JsonInclude.Include.ALWAYS)
record SessionView(String project, String role, boolean system, Instant expiresAt) {
    static SessionView of(Caller caller, Instant expiresAt) {
        return new SessionView(caller.project(), caller.role().wireName(), caller.system(), expiresAt);
    }
}
