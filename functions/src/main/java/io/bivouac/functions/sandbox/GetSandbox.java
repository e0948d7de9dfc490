package io.bivouac.functions.sandbox;

import io.bivouac.foundation.access.Caller;
import io.bivouac.sandboxes.lifecycle.Sandboxes;
import io.bivouac.sandboxmodel.SandboxId;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.tags.Tag;

/** Shows a sandbox. */
@Tag(name = "sandboxes")
@Controller("/api/v1/sandboxes")
@ExecuteOn(TaskExecutors.BLOCKING)
class GetSandbox {
    private final Sandboxes sandboxes;
    private final ShownAddresses addresses;

    GetSandbox(Sandboxes sandboxes, ShownAddresses addresses) {
        this.sandboxes = sandboxes;
        this.addresses = addresses;
    }

    @Get("/{id}")
    @Operation(operationId = "getSandbox", summary = "Shows a sandbox")
    SandboxView get(
            @Parameter(schema = @Schema(type = "string")) SandboxId id, @Parameter(hidden = true) Caller caller) {
        return addresses.addedTo(SandboxView.of(sandboxes.get(id, caller)), caller);
    }
}
