package io.bivouac.sandboxio.command;

import io.bivouac.foundation.access.Caller;
import io.bivouac.http.Refuses;
import io.bivouac.sandboxmodel.error.ErrorCode;
import io.micronaut.core.annotation.Nullable;
import io.micronaut.http.HttpHeaders;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.MediaType;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.Header;
import io.micronaut.http.annotation.Produces;
import io.micronaut.http.annotation.QueryValue;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import reactor.core.publisher.Mono;

/** Reads a command's output from an offset to its end, while it runs or after. */
@Tag(name = "processes")
@Controller("/api/v1/sandboxes/{id}/process")
class ReadOutput {
    static final String OFFSET_HEADER = "Bivouac-Offset";

    private final Commands commands;

    ReadOutput(Commands commands) {
        this.commands = commands;
    }

    /** Plain bytes of one stream, or events of both for a client that accepts those. */
    @Get("/{commandId}/output")
    @Produces({MediaType.APPLICATION_OCTET_STREAM, MediaType.TEXT_EVENT_STREAM})
    @ExecuteOn(TaskExecutors.BLOCKING)
    @Refuses(ErrorCode.SANDBOX_NOT_RUNNING)
    @Operation(operationId = "readOutput", summary = "Read a command's output")
    @ApiResponse(
            responseCode = "200",
            description = "The bytes from the offset on, or events",
            content = {
                @Content(
                        mediaType = MediaType.APPLICATION_OCTET_STREAM,
                        schema = @Schema(type = "string", format = "binary")),
                @Content(mediaType = MediaType.TEXT_EVENT_STREAM, schema = @Schema(type = "string"))
            })
    Mono<? extends HttpResponse<?>> read(
            String id,
            String commandId,
            @Parameter(schema = @Schema(allowableValues = {"stdout", "stderr"})) @Nullable @QueryValue String stream,
            @Parameter(schema = @Schema(minimum = "0")) @Nullable @QueryValue Long offset,
            @Nullable @Header(HttpHeaders.ACCEPT) String accept,
            @Parameter(schema = @Schema(pattern = OutputPosition.EVENT_IDS, example = "0-0"))
                    @Nullable @Header("Last-Event-ID")
                    String lastEventId,
            @Parameter(hidden = true) Caller caller) {
        var position = OutputPosition.of(stream, offset, lastEventId);
        var command = CommandId.parse(commandId);
        if (accept != null && accept.contains(MediaType.TEXT_EVENT_STREAM)) {
            return commands.events(id, caller, command, position).map(begun -> EventResponse.of(begun.body()));
        }
        return commands.raw(id, caller, command, position)
                .map(begun -> HttpResponse.ok(begun.body())
                        .contentType(MediaType.APPLICATION_OCTET_STREAM_TYPE)
                        .header(OFFSET_HEADER, Long.toString(begun.offset())));
    }
}
