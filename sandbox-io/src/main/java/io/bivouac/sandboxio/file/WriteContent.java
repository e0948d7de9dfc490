package io.bivouac.sandboxio.file;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.bivouac.foundation.access.Caller;
import io.bivouac.http.RequestText;
import io.micronaut.core.annotation.Nullable;
import io.micronaut.http.HttpHeaders;
import io.micronaut.http.HttpResponse;
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
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import reactor.core.publisher.Mono;

/** Writes a file all at once: a reader sees the old one or the new one, and an upload that breaks leaves nothing. */
@Tag(name = "files")
@Controller("/api/v1/sandboxes/{id}/files")
class WriteContent {
    private final ContentUploads uploads;

    WriteContent(ContentUploads uploads) {
        this.uploads = uploads;
    }

    /** How much of an upload in parts has come. */
    @Serdeable
    @JsonInclude(JsonInclude.Include.ALWAYS)
    @Schema(name = "WriteContent.Part")
    record Part(long received, long total) {}

    @Put("/content")
    @Consumes(MediaType.ALL)
    @Operation(operationId = "writeFile", summary = "Write a file of a sandbox")
    @RequestBody(
            content =
                    @Content(
                            mediaType = MediaType.APPLICATION_OCTET_STREAM,
                            schema = @Schema(type = "string", format = "binary")))
    @ApiResponse(
            responseCode = "200",
            description = "The file that was replaced",
            content = @Content(schema = @Schema(implementation = FileView.class)))
    @ApiResponse(
            responseCode = "201",
            description = "The file that was made",
            content = @Content(schema = @Schema(implementation = FileView.class)))
    @ApiResponse(
            responseCode = "202",
            description = "With Content-Range: how much has come",
            content = @Content(schema = @Schema(implementation = Part.class)))
    Mono<? extends HttpResponse<?>> write(
            String id,
            @QueryValue String path,
            @Nullable @QueryValue String mode,
            @Nullable @QueryValue String parents,
            @Nullable @QueryValue String user,
            @Parameter(hidden = true) Caller caller,
            @Parameter(hidden = true) ServerHttpRequest<?> request) {
        HttpHeaders headers = request.getHeaders();
        var none = FileRequests.versions(headers.get(HttpHeaders.IF_NONE_MATCH));
        if (!none.isEmpty() && !none.contains("*")) {
            throw FileRequests.invalid("If-None-Match must be * for a file that is written.");
        }
        var order = new WriteOrder(
                FileRequests.path("path", path),
                FileRequests.mode(mode),
                RequestText.flag("parents", parents),
                !none.isEmpty(),
                FileRequests.versions(headers.get(HttpHeaders.IF_MATCH)),
                UploadPart.read(headers.get(HttpHeaders.CONTENT_RANGE)));
        return uploads.write(new FileUse(id, caller, user), order, request);
    }
}
