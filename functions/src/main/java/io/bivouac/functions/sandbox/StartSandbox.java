package io.bivouac.functions.sandbox;

import io.bivouac.foundation.access.Caller;
import io.bivouac.sandboxes.lifecycle.Sandboxes;
import io.bivouac.sandboxmodel.SandboxId;
import io.bivouac.sandboxmodel.transition.Happening.StartRequested;
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
    private final Sandboxes sandboxes;
    private final Upbringing upbringing;
    private final ShownPorts ports;

    StartSandbox(Sandboxes sandboxes, Upbringing upbringing, ShownPorts ports) {
        this.sandboxes = sandboxes;
        this.upbringing = upbringing;
        this.ports = ports;
    }

    @Post("/{id}/start")
    @Operation(operationId = "startSandbox", summary = "Starts a stopped sandbox again and waits until it runs")
    SandboxView start(
            @Parameter(schema = @Schema(type = "string")) SandboxId id, @Parameter(hidden = true) Caller caller) {
        try (var _ = upbringing.take(id)) {
            sandboxes.change(id, caller, new StartRequested());
            var timed = upbringing.begin(id);
            var view = SandboxView.of(timed.sandbox(), timed.timeline());
            view.mustNotHaveFailed();
            return ports.on(view);
        }
    }
}
