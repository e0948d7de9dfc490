package io.bivouac.functions.sandbox;

import io.bivouac.foundation.access.Caller;
import io.bivouac.http.Refuses;
import io.bivouac.http.RequestText;
import io.bivouac.sandboxes.lifecycle.EndSandboxes;
import io.bivouac.sandboxmodel.SandboxId;
import io.bivouac.sandboxmodel.error.ErrorCode;
import io.micronaut.core.annotation.Nullable;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Delete;
import io.micronaut.http.annotation.QueryValue;
import io.micronaut.http.annotation.Status;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.tags.Tag;

/** Deletes a sandbox and, unless it is to be kept, its workspace. */
@Tag(name = "sandboxes")
@Controller("/api/v1/sandboxes")
@ExecuteOn(TaskExecutors.BLOCKING)
class DeleteSandbox {
    private final EndSandboxes ends;

    DeleteSandbox(EndSandboxes ends) {
        this.ends = ends;
    }

    @Delete("/{id}")
    @Status(HttpStatus.NO_CONTENT)
    @Refuses(ErrorCode.INTERNAL_ERROR)
    @Operation(operationId = "deleteSandbox", summary = "Deletes a sandbox and, unless it is to be kept, its workspace")
    HttpResponse<Void> delete(
            @Parameter(schema = @Schema(type = "string")) SandboxId id,
            @Parameter(schema = @Schema(type = "boolean")) @Nullable @QueryValue String keepWorkspace,
            @Parameter(hidden = true) Caller caller) {
        ends.delete(id, RequestText.flag("keepWorkspace", keepWorkspace), caller);
        return HttpResponse.noContent();
    }
}
