package io.bivouac.functions.login;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.bivouac.foundation.access.Caller;
import io.micronaut.serde.annotation.Serdeable;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;

/** Who is logged in, as the console shows it. */
@Serdeable
@Schema(name = "ConsoleSession")
@JsonInclude(JsonInclude.Include.ALWAYS)
record ConsoleLoginView(String project, String role, boolean system, Instant expiresAt) {
    static ConsoleLoginView of(Caller caller, Instant expiresAt) {
        return new ConsoleLoginView(caller.project(), caller.role().wireName(), caller.system(), expiresAt);
    }
}
