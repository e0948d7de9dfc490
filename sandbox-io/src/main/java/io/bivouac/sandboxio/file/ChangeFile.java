package io.bivouac.sandboxio.file;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import io.bivouac.foundation.access.Caller;
import io.micronaut.core.annotation.Nullable;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Patch;
import io.micronaut.http.annotation.QueryValue;
import io.micronaut.serde.annotation.Serdeable;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.tags.Tag;
import reactor.core.publisher.Mono;

/** Changes the mode or the owner of a file. */
@Tag(name = "files")
@Controller("/api/v1/sandboxes/{id}/files")
class ChangeFile {
    private final Files files;

    ChangeFile(Files files) {
        this.files = files;
    }

    /**
     * What changes.
     *
     * @param mode octal, such as 0755
     * @param user the new owner, a name or uid[:gid]; mostly only root may do that
     */
    @Serdeable
    @JsonIgnoreProperties(ignoreUnknown = false)
    record Request(
            @Schema(maxLength = 4096, requiredMode = Schema.RequiredMode.REQUIRED) @Nullable String path,

            @Schema(pattern = "^(0o)?[0-7]{1,5}$") @Nullable String mode,
            @Nullable String user) {}

    @Patch
    @Operation(operationId = "changeFile", summary = "Change the mode or owner of a file of a sandbox")
    Mono<FileView> change(
            String id,
            @Body Request request,
            @Nullable @QueryValue String user,
            @Parameter(hidden = true) Caller caller) {
        if (request.mode() == null && request.user() == null) {
            throw FileRequests.invalid("mode or user is missing.");
        }
        return files.change(
                        new FileUse(id, caller, user),
                        FileRequests.path("path", request.path()),
                        FileRequests.mode(request.mode()),
                        request.user())
                .map(FileView::of);
    }
}
