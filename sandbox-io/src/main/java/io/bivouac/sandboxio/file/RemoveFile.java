package io.bivouac.sandboxio.file;

import io.bivouac.foundation.access.Caller;
import io.bivouac.http.RequestText;
import io.micronaut.core.annotation.Nullable;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Delete;
import io.micronaut.http.annotation.QueryValue;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import reactor.core.publisher.Mono;

/** Removes a file, a link, or a folder with what is in it. */
@Tag(name = "files")
@Controller("/api/v1/sandboxes/{id}/files")
class RemoveFile {
    private final Files files;

    RemoveFile(Files files) {
        this.files = files;
    }

    @Delete
    @Operation(operationId = "removeFile", summary = "Remove a file or folder of a sandbox")
    @ApiResponse(responseCode = "204", description = "Removed")
    Mono<HttpResponse<Void>> remove(
            String id,
            @QueryValue String path,
            @Nullable @QueryValue String recursive,
            @Nullable @QueryValue String user,
            @Parameter(hidden = true) Caller caller) {
        return files.remove(
                        new FileUse(id, caller, user),
                        FileRequests.path("path", path),
                        RequestText.flag("recursive", recursive))
                .thenReturn(HttpResponse.noContent());
    }
}
