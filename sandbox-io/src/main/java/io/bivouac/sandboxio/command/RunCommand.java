package io.bivouac.sandboxio.command;

import io.bivouac.foundation.access.Caller;
import io.bivouac.http.Refuses;
import io.bivouac.sandboxmodel.error.ErrorCode;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.MediaType;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Post;
import io.micronaut.http.annotation.Produces;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import reactor.core.publisher.Mono;

/** Runs a command: to its end, as a stream, or in the background. */
@Tag(name = "processes")
@Controller("/api/v1/sandboxes/{id}/process")
class RunCommand {
    private final Commands commands;
    private final ProcessSettings settings;

    RunCommand(Commands commands, ProcessSettings settings) {
        this.commands = commands;
        this.settings = settings;
    }

    @Post("/run")
    @Produces({MediaType.APPLICATION_JSON, MediaType.TEXT_EVENT_STREAM})
    @Refuses({ErrorCode.PROCESS_TIMEOUT, ErrorCode.COMMAND_FAILED})
    @Operation(operationId = "runCommand", summary = "Run a command")
    @ApiResponse(
            responseCode = "200",
            description = "The result; with stream, events; with background, the command's id",
            content = {
                @Content(
                        mediaType = MediaType.APPLICATION_JSON,
                        schema = @Schema(oneOf = {RunView.class, RunView.Background.class})),
                @Content(mediaType = MediaType.TEXT_EVENT_STREAM, schema = @Schema(type = "string"))
            })
    Mono<? extends HttpResponse<?>> run(
            String id,
            @Body RunRequest request,
            @Parameter(hidden = true) Caller caller,
            @Parameter(hidden = true) HttpRequest<?> client) {
        var order = request.order(settings);
        if (request.isStream()) {
            return commands.stream(id, caller, order).map(begun -> EventResponse.of(begun.body()));
        }
        if (request.isBackground()) {
            return commands.startInBackground(id, caller, order)
                    .map(commandId -> HttpResponse.ok(new RunView.Background(commandId, true)));
        }
        return ClientPresence.whileConnected(client, commands.run(id, caller, order))
                .map(result -> ResultJson.ofRun(result.inTime()));
    }
}
