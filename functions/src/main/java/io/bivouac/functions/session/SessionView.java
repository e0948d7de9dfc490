package io.bivouac.functions.session;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.bivouac.foundation.access.Caller;
import io.micronaut.serde.annotation.Serdeable;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;

/** Who is logged in, as the console shows it. */
@Serdeable
@Schema(name = "ConsoleSession")
@JsonInclude(JsonInclude.Include.ALWAYS)
record SessionView(String project, String role, boolean system, Instant expiresAt) {
    static SessionView of(Caller caller, Instant expiresAt) {
        return new SessionView(caller.project(), caller.role().wireName(), caller.system(), expiresAt);
    }
}
