package io.bivouac.functions.sandbox;

import io.bivouac.foundation.access.Caller;
import io.bivouac.http.Refuses;
import io.bivouac.sandboxes.lifecycle.EndSandboxes;
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

/** Stops a sandbox; its files stay, and it can be started again. */
@Tag(name = "sandboxes")
@Controller("/api/v1/sandboxes")
@ExecuteOn(TaskExecutors.BLOCKING)
class StopSandbox {
    private final EndSandboxes ends;

    StopSandbox(EndSandboxes ends) {
        this.ends = ends;
    }

    @Post("/{id}/stop")
    @Refuses(ErrorCode.INTERNAL_ERROR)
    @Operation(operationId = "stopSandbox", summary = "Stops a sandbox")
    SandboxView stop(
            @Parameter(schema = @Schema(type = "string")) SandboxId id, @Parameter(hidden = true) Caller caller) {
        return SandboxView.of(ends.stop(id, caller));
    }
}
