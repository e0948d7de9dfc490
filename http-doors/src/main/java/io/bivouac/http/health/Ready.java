package io.bivouac.http.health;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.bivouac.sandboxmodel.runtime.HostPaths;
import io.micronaut.core.annotation.Nullable;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import io.micronaut.serde.annotation.Serdeable;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.security.SecurityRequirements;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** Says whether this process can work now: each part that it needs is really asked. */
@Tag(name = "system")
@SecurityRequirements
@Controller("/ready")
@ExecuteOn(TaskExecutors.BLOCKING)
class Ready {
    private final ReadinessChecks checks;

    Ready(ReadinessChecks checks) {
        this.checks = checks;
    }

    @Serdeable
    record Readiness(String status, Map<String, Part> checks) {}

    /** @param detail what is wrong, if something is, or what an operator should know; without the places of this host, since nobody need log in */
    @Serdeable
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record Part(String status, @Nullable String detail) {}

    @Get
    @Operation(operationId = "getReadiness", summary = "Says whether this process can work now")
    @ApiResponse(
            responseCode = "200",
            description = "It can",
            content = @Content(schema = @Schema(implementation = Readiness.class)))
    @ApiResponse(
            responseCode = "503",
            description = "A part is missing",
            content = @Content(schema = @Schema(implementation = Readiness.class)))
    HttpResponse<Readiness> ready() {
        var parts = new LinkedHashMap<String, Part>();
        var notes = checks.notes();
        checks.ask()
                .forEach((part, wrong) -> parts.put(
                        part,
                        new Part(
                                wrong.isEmpty() ? "UP" : "DOWN",
                                wrong.or(() -> Optional.ofNullable(notes.get(part)))
                                        .map(HostPaths::hiddenIn)
                                        .orElse(null))));
        boolean up = parts.values().stream().allMatch(part -> part.status().equals("UP"));
        var readiness = new Readiness(up ? "UP" : "DOWN", parts);
        return up
                ? HttpResponse.ok(readiness)
                : HttpResponse.status(HttpStatus.SERVICE_UNAVAILABLE).body(readiness);
    }
}
