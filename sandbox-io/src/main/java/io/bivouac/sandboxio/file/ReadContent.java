package io.bivouac.sandboxio.file;

import io.bivouac.foundation.access.Caller;
import io.bivouac.http.RequestText;
import io.micronaut.core.annotation.Nullable;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.MediaType;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.Produces;
import io.micronaut.http.annotation.QueryValue;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import reactor.core.publisher.Mono;

/** The bytes of a file, or a range of them. */
@Tag(name = "files")
@Controller("/api/v1/sandboxes/{id}/files")
class ReadContent {
    private final ContentAnswers answers;

    ReadContent(ContentAnswers answers) {
        this.answers = answers;
    }

    @Get("/content")
    @Produces(MediaType.APPLICATION_OCTET_STREAM)
    @Operation(operationId = "readFile", summary = "Read a file of a sandbox")
    @ApiResponse(
            responseCode = "200",
            description = "The bytes; 206 with a Range, 304 when If-None-Match fits",
            content =
                    @Content(
                            mediaType = MediaType.APPLICATION_OCTET_STREAM,
                            schema = @Schema(type = "string", format = "binary")))
    Mono<? extends HttpResponse<?>> read(
            String id,
            @QueryValue String path,
            @Nullable @QueryValue String download,
            @Nullable @QueryValue String user,
            @Parameter(hidden = true) Caller caller,
            @Parameter(hidden = true) HttpRequest<?> request) {
        return answers.read(
                new FileUse(id, caller, user),
                FileRequests.path("path", path),
                RequestText.flag("download", download),
                request.getHeaders());
    }
}
