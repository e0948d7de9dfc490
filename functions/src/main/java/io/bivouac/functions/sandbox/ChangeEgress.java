package io.bivouac.functions.sandbox;

import io.bivouac.foundation.access.Caller;
import io.bivouac.sandboxes.lifecycle.Sandboxes;
import io.bivouac.sandboxmodel.SandboxId;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Put;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.tags.Tag;

/** Replaces the list of hosts that a sandbox may reach. Connections that are no longer allowed are cut. */
@Tag(name = "sandboxes")
@Controller("/api/v1/sandboxes")
@ExecuteOn(TaskExecutors.BLOCKING)
class ChangeEgress {
    private final Sandboxes sandboxes;
    private final ShownAddresses addresses;

    ChangeEgress(Sandboxes sandboxes, ShownAddresses addresses) {
        this.sandboxes = sandboxes;
        this.addresses = addresses;
    }

    @Put("/{id}/egress")
    @Operation(operationId = "changeEgress", summary = "Replaces the list of hosts that a sandbox may reach")
    SandboxView change(
            @Parameter(schema = @Schema(type = "string")) SandboxId id,
            @Body EgressRequest request,
            @Parameter(hidden = true) Caller caller) {
        return addresses.addedTo(SandboxView.of(sandboxes.changeEgress(id, caller, request.policy())), caller);
    }
}
