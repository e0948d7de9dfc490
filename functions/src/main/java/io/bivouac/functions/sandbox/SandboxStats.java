package io.bivouac.functions.sandbox;

import io.bivouac.foundation.access.Caller;
import io.bivouac.http.Refuses;
import io.bivouac.sandboxes.lifecycle.Sandboxes;
import io.bivouac.sandboxmodel.SandboxId;
import io.bivouac.sandboxmodel.SandboxState;
import io.bivouac.sandboxmodel.error.BivouacException;
import io.bivouac.sandboxmodel.error.ErrorCode;
import io.bivouac.sandboxmodel.runtime.NoSuchInstance;
import io.bivouac.sandboxmodel.runtime.SandboxRuntime;
import io.bivouac.sandboxmodel.runtime.Usage;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.tags.Tag;

/** Shows what a running sandbox uses. */
@Tag(name = "sandboxes")
@Controller("/api/v1/sandboxes")
@ExecuteOn(TaskExecutors.BLOCKING)
class SandboxStats {
    private final Sandboxes sandboxes;
    private final SandboxRuntime runtime;

    SandboxStats(Sandboxes sandboxes, SandboxRuntime runtime) {
        this.sandboxes = sandboxes;
        this.runtime = runtime;
    }

    @Get("/{id}/stats")
    @Refuses(ErrorCode.SANDBOX_NOT_RUNNING)
    @Operation(operationId = "getSandboxStats", summary = "Shows what a running sandbox uses")
    Usage stats(@Parameter(schema = @Schema(type = "string")) SandboxId id, @Parameter(hidden = true) Caller caller) {
        var sandbox = sandboxes.get(id, caller);
        if (sandbox.state() == SandboxState.RUNNING || sandbox.state() == SandboxState.PAUSED) {
            try {
                return runtime.stats(id);
            } catch (NoSuchInstance gone) {
                throw notRunning(id, "has no instance any more");
            }
        }
        throw notRunning(id, "is " + sandbox.shownState());
    }

    private static BivouacException notRunning(SandboxId id, String why) {
        return new BivouacException(ErrorCode.SANDBOX_NOT_RUNNING, "Sandbox " + id + " " + why + ".");
    }
}
