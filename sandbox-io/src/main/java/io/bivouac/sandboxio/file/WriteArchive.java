package io.bivouac.sandboxio.file;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.bivouac.foundation.access.Caller;
import io.micronaut.core.annotation.Nullable;
import io.micronaut.http.MediaType;
import io.micronaut.http.ServerHttpRequest;
import io.micronaut.http.annotation.Consumes;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Put;
import io.micronaut.http.annotation.QueryValue;
import io.micronaut.serde.annotation.Serdeable;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.parameters.RequestBody;
import io.swagger.v3.oas.annotations.tags.Tag;
import reactor.core.publisher.Mono;

/** Unpacks a tar or tar.gz into a folder, and puts nothing anywhere else. */
@Tag(name = "files")
@Controller("/api/v1/sandboxes/{id}/files")
class WriteArchive {
    private final Files files;

    WriteArchive(Files files) {
        this.files = files;
    }

    @Serdeable
    @JsonInclude(JsonInclude.Include.ALWAYS)
    record Unpacked(long entries) {}

    @Put("/archive")
    @Consumes(MediaType.ALL)
    @Operation(operationId = "writeArchive", summary = "Unpack a tar or tar.gz into a folder of a sandbox")
    @RequestBody(
            content =
                    @Content(
                            mediaType = MediaType.APPLICATION_OCTET_STREAM,
                            schema = @Schema(type = "string", format = "binary")))
    Mono<Unpacked> write(
            String id,
            @QueryValue String path,
            @Nullable @QueryValue String user,
            @Parameter(hidden = true) Caller caller,
            @Parameter(hidden = true) ServerHttpRequest<?> request) {
        var use = new FileUse(id, caller, user);
        var folder = FileRequests.path("path", path);
        return ContentUploads.taking(request, contents -> files.writeArchive(use, folder, contents))
                .map(Unpacked::new);
    }
}
