package io.bivouac.webhooks.replay;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import io.bivouac.foundation.access.Caller;
import io.bivouac.foundation.access.Role;
import io.bivouac.sandboxmodel.error.BivouacException;
import io.bivouac.sandboxmodel.error.ErrorCode;
import io.bivouac.webhooks.endpoint.Endpoints;
import io.micronaut.core.annotation.Nullable;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Post;
import io.micronaut.http.annotation.Status;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import io.micronaut.serde.annotation.Serdeable;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.time.Clock;
import java.time.Instant;

/** Sends an endpoint every event of a span of time that it asks for, also what it has had; or only the dead. */
@Tag(name = "webhooks")
@Controller("/api/v1/webhooks/endpoints")
@ExecuteOn(TaskExecutors.BLOCKING)
class ReplayEndpoint {
    private final Endpoints endpoints;
    private final Replays replays;
    private final Clock clock;

    ReplayEndpoint(Endpoints endpoints, Replays replays, Clock clock) {
        this.endpoints = endpoints;
        this.replays = replays;
        this.clock = clock;
    }

    /**
     * A span of events' times.
     *
     * @param until now, when it is left out
     * @param state {@code dead}: only deliveries that were given up
     */
    @Serdeable
    @JsonIgnoreProperties(ignoreUnknown = false)
    record Span(
            @Schema(requiredMode = Schema.RequiredMode.REQUIRED, example = "2026-01-01T00:00:00Z") @Nullable Instant since,

            @Schema(example = "2026-01-02T00:00:00Z") @Nullable Instant until,

            @Schema(allowableValues = "dead") @Nullable String state) {}

    /** How many deliveries will be sent again. */
    @Serdeable
    record Replayed(int replayed) {}

    @Post("/{id}/replay")
    @Status(HttpStatus.ACCEPTED)
    @Operation(
            operationId = "replayEndpoint",
            summary = "Sends an endpoint every event of a span of time that it asks for, also what it has had")
    HttpResponse<Replayed> replay(String id, @Body Span span, @Parameter(hidden = true) Caller caller) {
        caller.mustBe(Role.DEVELOPER);
        var endpoint = endpoints.get(id, caller);
        var until = span.until() == null ? clock.instant() : span.until();
        if (span.since() == null || !span.since().isBefore(until)) {
            throw new BivouacException(ErrorCode.INVALID_REQUEST, "since must be there, and before until.");
        }
        int replayed = switch (span.state()) {
            case null -> replays.all(endpoint, span.since(), until, caller);
            case "dead" -> replays.dead(endpoint, span.since(), until, caller);
            default -> throw new BivouacException(ErrorCode.INVALID_REQUEST, "state can only be dead.");
        };
        return HttpResponse.accepted().body(new Replayed(replayed));
    }
}
