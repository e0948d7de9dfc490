package io.bivouac.functions.sandbox;

import io.bivouac.foundation.access.Caller;
import io.bivouac.sandboxes.lifecycle.PauseSandboxes;
import io.bivouac.sandboxmodel.SandboxId;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Post;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.tags.Tag;

/** Has a paused sandbox go on where it was. */
@Tag(name = "sandboxes")
@Controller("/api/v1/sandboxes")
@ExecuteOn(TaskExecutors.BLOCKING)
class ResumeSandbox {
    private final PauseSandboxes pauses;
    private final ShownAddresses addresses;

    ResumeSandbox(PauseSandboxes pauses, ShownAddresses addresses) {
        this.addresses = addresses;
        this.pauses = pauses;
    }

    @Post("/{id}/resume")
    @Operation(operationId = "resumeSandbox", summary = "Has a paused sandbox go on")
    SandboxView resume(
            @Parameter(schema = @Schema(type = "string")) SandboxId id, @Parameter(hidden = true) Caller caller) {
        return addresses.addedTo(SandboxView.of(pauses.resume(id, caller)), caller);
    }
}
