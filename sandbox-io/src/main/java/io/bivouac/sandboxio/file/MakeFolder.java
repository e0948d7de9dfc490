package io.bivouac.sandboxio.file;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import io.bivouac.foundation.access.Caller;
import io.micronaut.core.annotation.Nullable;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Post;
import io.micronaut.http.annotation.QueryValue;
import io.micronaut.serde.annotation.Serdeable;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import reactor.core.publisher.Mono;

/** Makes a folder. */
@Tag(name = "files")
@Controller("/api/v1/sandboxes/{id}/files")
class MakeFolder {
    private final Files files;

    MakeFolder(Files files) {
        this.files = files;
    }

    /**
     * Where.
     *
     * @param mode octal, such as 0755
     * @param parents makes the folders above it too, and is content with one that is there
     */
    @Serdeable
    @JsonIgnoreProperties(ignoreUnknown = false)
    record Request(
            @Schema(maxLength = 4096, requiredMode = Schema.RequiredMode.REQUIRED) @Nullable String path,

            @Schema(pattern = "^(0o)?[0-7]{1,5}$") @Nullable String mode,
            @Nullable Boolean parents) {}

    @Post("/folders")
    @Operation(operationId = "makeFolder", summary = "Make a folder in a sandbox")
    @ApiResponse(
            responseCode = "201",
            description = "The folder",
            content = @Content(schema = @Schema(implementation = FileView.class)))
    Mono<HttpResponse<FileView>> make(
            String id,
            @Body Request request,
            @Nullable @QueryValue String user,
            @Parameter(hidden = true) Caller caller) {
        return files.makeFolder(
                        new FileUse(id, caller, user),
                        FileRequests.path("path", request.path()),
                        FileRequests.mode(request.mode()),
                        Boolean.TRUE.equals(request.parents()))
                .map(FileView::of)
                .map(HttpResponse::created);
    }
}
