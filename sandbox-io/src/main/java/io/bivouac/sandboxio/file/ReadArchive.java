package io.bivouac.sandboxio.file;

import io.bivouac.foundation.access.Caller;
import io.micronaut.core.annotation.Nullable;
import io.micronaut.http.HttpHeaders;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.MediaType;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.Produces;
import io.micronaut.http.annotation.QueryValue;
import io.netty.buffer.Unpooled;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import reactor.core.publisher.Mono;

/** A whole folder as one archive, packed while it is sent. */
@Tag(name = "files")
@Controller("/api/v1/sandboxes/{id}/files")
class ReadArchive {
    private final Files files;

    ReadArchive(Files files) {
        this.files = files;
    }

    @Get("/archive")
    @Produces({"application/x-tar", "application/gzip", "application/zip"})
    @Operation(operationId = "readArchive", summary = "Read a folder of a sandbox as an archive")
    @ApiResponse(
            responseCode = "200",
            description = "The archive",
            content =
                    @Content(
                            mediaType = MediaType.APPLICATION_OCTET_STREAM,
                            schema = @Schema(type = "string", format = "binary")))
    Mono<? extends HttpResponse<?>> read(
            String id,
            @QueryValue String path,
            @Nullable @QueryValue String format,
            @Nullable @QueryValue String user,
            @Parameter(hidden = true) Caller caller) {
        var packed = ArchiveFormat.read(format);
        return files.readArchive(new FileUse(id, caller, user), FileRequests.path("path", path), packed)
                .map(read -> {
                    var name = read.entry().name().equals("/")
                            ? "root"
                            : read.entry().name();
                    var response = HttpResponse.ok(read.contents().map(Unpooled::wrappedBuffer));
                    return ContentAnswers.guarded(response, name + "." + packed.wireName())
                            .header(HttpHeaders.CACHE_CONTROL, "no-store")
                            .contentType(packed.mediaType());
                });
    }
}
