package io.bivouac.sandboxio.file;

import io.bivouac.foundation.access.Caller;
import io.micronaut.core.annotation.Nullable;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.QueryValue;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.tags.Tag;
import reactor.core.publisher.Mono;

/** One entry: of a link itself, not of what it leads to. */
@Tag(name = "files")
@Controller("/api/v1/sandboxes/{id}/files")
class StatFile {
    private final Files files;

    StatFile(Files files) {
        this.files = files;
    }

    @Get("/stat")
    @Operation(operationId = "statFile", summary = "Show a file or folder of a sandbox")
    Mono<FileView> stat(
            String id,
            @QueryValue String path,
            @Nullable @QueryValue String user,
            @Parameter(hidden = true) Caller caller) {
        return files.stat(new FileUse(id, caller, user), FileRequests.path("path", path))
                .map(FileView::of);
    }
}
