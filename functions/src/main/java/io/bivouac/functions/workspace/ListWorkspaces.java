package io.bivouac.functions.workspace;

import io.bivouac.foundation.access.Caller;
import io.bivouac.http.Listing;
import io.bivouac.sandboxmodel.runtime.SandboxRuntime;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.tags.Tag;

/** Lists the project's kept workspaces. */
@Tag(name = "workspaces")
@Controller("/api/v1/workspaces")
@ExecuteOn(TaskExecutors.BLOCKING)
class ListWorkspaces {
    private final SandboxRuntime runtime;

    ListWorkspaces(SandboxRuntime runtime) {
        this.runtime = runtime;
    }

    @Get
    @Operation(operationId = "listWorkspaces", summary = "Lists the project's kept workspaces")
    Listing<WorkspaceView> list(@Parameter(hidden = true) Caller caller) {
        var own = runtime.keptData().stream()
                .filter(kept -> kept.project().equals(caller.project()))
                .map(WorkspaceView::of)
                .toList();
        return new Listing<>(own, null);
    }
}
