package io.bivouac.sandboxio.file;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import io.bivouac.foundation.access.Caller;
import io.micronaut.core.annotation.Nullable;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Post;
import io.micronaut.http.annotation.QueryValue;
import io.micronaut.serde.annotation.Serdeable;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.tags.Tag;
import reactor.core.publisher.Mono;

/** Moves or renames a file, folder or link. */
@Tag(name = "files")
@Controller("/api/v1/sandboxes/{id}/files")
class MoveFile {
    private final Files files;

    MoveFile(Files files) {
        this.files = files;
    }

    /** Nothing is replaced unless {@code overwrite} says so. */
    @Serdeable
    @JsonIgnoreProperties(ignoreUnknown = false)
    record Request(
            @Schema(maxLength = 4096, requiredMode = Schema.RequiredMode.REQUIRED) @Nullable String from,

            @Schema(maxLength = 4096, requiredMode = Schema.RequiredMode.REQUIRED) @Nullable String to,

            @Nullable Boolean overwrite) {}

    @Post("/move")
    @Operation(operationId = "moveFile", summary = "Move a file or folder of a sandbox")
    Mono<FileView> move(
            String id,
            @Body Request request,
            @Nullable @QueryValue String user,
            @Parameter(hidden = true) Caller caller) {
        return files.move(
                        new FileUse(id, caller, user),
                        FileRequests.path("from", request.from()),
                        FileRequests.path("to", request.to()),
                        Boolean.TRUE.equals(request.overwrite()))
                .map(FileView::of);
    }
}
