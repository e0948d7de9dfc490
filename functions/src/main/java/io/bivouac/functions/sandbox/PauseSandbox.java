package io.bivouac.functions.sandbox;

import io.bivouac.foundation.access.Caller;
import io.bivouac.http.Refuses;
import io.bivouac.sandboxes.lifecycle.PauseSandboxes;
import io.bivouac.sandboxmodel.SandboxId;
import io.bivouac.sandboxmodel.error.ErrorCode;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Post;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.tags.Tag;

/** Freezes the processes of a sandbox where they are, until it is resumed. */
@Tag(name = "sandboxes")
@Controller("/api/v1/sandboxes")
@ExecuteOn(TaskExecutors.BLOCKING)
class PauseSandbox {
    private final PauseSandboxes pauses;

    PauseSandbox(PauseSandboxes pauses) {
        this.pauses = pauses;
    }

    @Post("/{id}/pause")
    @Refuses(ErrorCode.UNSUPPORTED_BY_RUNTIME)
    @Operation(operationId = "pauseSandbox", summary = "Pauses a sandbox")
    SandboxView pause(
            @Parameter(schema = @Schema(type = "string")) SandboxId id, @Parameter(hidden = true) Caller caller) {
        return SandboxView.of(pauses.pause(id, caller));
    }
}
