package io.bivouac.functions.sandbox;

import io.bivouac.foundation.access.Caller;
import io.bivouac.sandboxes.lifecycle.Sandboxes;
import io.bivouac.sandboxmodel.SandboxId;
import io.bivouac.sandboxmodel.SandboxState;
import io.bivouac.sandboxmodel.transition.Happening.StopRequested;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Post;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.tags.Tag;

/** Stops a sandbox; its files stay, and it can be started again. */
@Tag(name = "sandboxes")
@Controller("/api/v1/sandboxes")
@ExecuteOn(TaskExecutors.BLOCKING)
class StopSandbox {
    private final Sandboxes sandboxes;
    private final Upbringing upbringing;

    StopSandbox(Sandboxes sandboxes, Upbringing upbringing) {
        this.sandboxes = sandboxes;
        this.upbringing = upbringing;
    }

    @Post("/{id}/stop")
    @Operation(operationId = "stopSandbox", summary = "Stops a sandbox")
    SandboxView stop(
            @Parameter(schema = @Schema(type = "string")) SandboxId id, @Parameter(hidden = true) Caller caller) {
        try (var _ = upbringing.take(id)) {
            sandboxes.change(id, caller, new StopRequested());
            return SandboxView.of(upbringing.takeDown(id, SandboxState.STOPPED));
        }
    }
}
