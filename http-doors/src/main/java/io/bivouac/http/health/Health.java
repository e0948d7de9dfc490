package io.bivouac.http.health;

import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.serde.annotation.Serdeable;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.security.SecurityRequirements;
import io.swagger.v3.oas.annotations.tags.Tag;

/** Says that this process is alive; whether it can work is {@link Ready}'s to say. */
@Tag(name = "system")
@SecurityRequirements
@Controller("/health")
class Health {
    @Serdeable
    record Alive(String status) {}

    @Get
    @Operation(operationId = "getHealth", summary = "Says that this process is alive")
    Alive health() {
        return new Alive("UP");
    }
}
