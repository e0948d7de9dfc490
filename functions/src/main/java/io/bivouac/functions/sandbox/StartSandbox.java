package io.bivouac.functions.sandbox;

import io.bivouac.foundation.access.Caller;
import io.bivouac.http.Refuses;
import io.bivouac.sandboxes.lifecycle.StartSandboxes;
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

/** Starts a stopped sandbox again and waits until it runs. */
@Tag(name = "sandboxes")
@Controller("/api/v1/sandboxes")
@ExecuteOn(TaskExecutors.BLOCKING)
class StartSandbox {
    private final StartSandboxes starts;
    private final ShownAddresses addresses;

    StartSandbox(StartSandboxes starts, ShownAddresses addresses) {
        this.starts = starts;
        this.addresses = addresses;
    }

    @Post("/{id}/start")
    @Refuses(ErrorCode.SANDBOX_FAILED)
    @Operation(operationId = "startSandbox", summary = "Starts a stopped sandbox again and waits until it runs")
    SandboxView start(
            @Parameter(schema = @Schema(type = "string")) SandboxId id, @Parameter(hidden = true) Caller caller) {
        return addresses.addedTo(SandboxView.of(starts.start(id, caller)), caller);
    }
}
