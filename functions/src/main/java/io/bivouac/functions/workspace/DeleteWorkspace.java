package io.bivouac.functions.workspace;

import io.bivouac.foundation.access.Caller;
import io.bivouac.foundation.access.Role;
import io.bivouac.sandboxes.lifecycle.ExpiredFiles;
import io.bivouac.sandboxmodel.SandboxId;
import io.bivouac.sandboxmodel.error.BivouacException;
import io.bivouac.sandboxmodel.error.ErrorCode;
import io.bivouac.sandboxmodel.runtime.SandboxRuntime;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Delete;
import io.micronaut.http.annotation.Status;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.tags.Tag;

/** Deletes a kept workspace for good. */
@Tag(name = "workspaces")
@Controller("/api/v1/workspaces")
@ExecuteOn(TaskExecutors.BLOCKING)
class DeleteWorkspace {
    private final SandboxRuntime runtime;
    private final ExpiredFiles expired;

    DeleteWorkspace(SandboxRuntime runtime, ExpiredFiles expired) {
        this.runtime = runtime;
        this.expired = expired;
    }

    @Delete("/{id}")
    @Status(HttpStatus.NO_CONTENT)
    @Operation(operationId = "deleteWorkspace", summary = "Deletes a kept workspace for good")
    HttpResponse<Void> delete(String id, @Parameter(hidden = true) Caller caller) {
        caller.mustBe(Role.DEVELOPER);
        var kept = runtime.keptData().stream()
                .filter(data -> data.id().value().equals(id))
                .findFirst()
                .orElseThrow(() ->
                        new BivouacException(ErrorCode.WORKSPACE_NOT_FOUND, "There is no kept workspace " + id + "."));
        caller.mustOwn(kept.project(), "Workspace " + id);
        runtime.removeKeptData(new SandboxId(id));
        expired.gone(new SandboxId(id));
        return HttpResponse.noContent();
    }
}
