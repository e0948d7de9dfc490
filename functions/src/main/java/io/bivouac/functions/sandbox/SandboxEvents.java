package io.bivouac.functions.sandbox;

import io.bivouac.foundation.access.Caller;
import io.bivouac.foundation.outbox.EventRow;
import io.bivouac.foundation.outbox.Outbox;
import io.bivouac.http.Answers;
import io.bivouac.http.Listing;
import io.bivouac.sandboxmodel.SandboxId;
import io.micronaut.core.annotation.Nullable;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.QueryValue;
import io.micronaut.json.JsonMapper;
import io.micronaut.json.tree.JsonNode;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.io.IOException;
import java.io.UncheckedIOException;

/** Shows a sandbox's history, the oldest event first; also that of a deleted one. */
@Tag(name = "sandboxes")
@Controller("/api/v1/sandboxes")
@ExecuteOn(TaskExecutors.BLOCKING)
class SandboxEvents {
    private final Outbox outbox;
    private final JsonMapper json;
    private final Answers answers;

    SandboxEvents(Outbox outbox, JsonMapper json, Answers answers) {
        this.outbox = outbox;
        this.json = json;
        this.answers = answers;
    }

    @Get("/{id}/events")
    @Operation(operationId = "listSandboxEvents", summary = "Shows a sandbox's history, the oldest event first")
    @ApiResponse(
            responseCode = "200",
            description = "A page of the history",
            content = @Content(schema = @Schema(ref = "#/components/schemas/EventListing")))
    Listing<JsonNode> events(
            @Parameter(schema = @Schema(type = "string")) SandboxId id,
            @Nullable @QueryValue Integer limit,
            @Nullable @QueryValue String cursor,
            @Parameter(hidden = true) Caller caller) {
        var project = outbox.projectOf(id.value()).orElseThrow(() -> SandboxId.noSuchSandbox(id.value()));
        caller.mustOwn(project, "Sandbox " + id);
        long after = Listing.number(cursor, 0);
        int most = Listing.limit(limit);
        return Listing.of(answers.page(
                caller, () -> outbox.history(id.value(), after, most).map(this::envelope)));
    }

    private JsonNode envelope(EventRow row) {
        try {
            return json.readValue(row.envelope(), JsonNode.class);
        } catch (IOException foreign) {
            throw new UncheckedIOException("event " + row.id() + " cannot be read", foreign);
        }
    }
}
