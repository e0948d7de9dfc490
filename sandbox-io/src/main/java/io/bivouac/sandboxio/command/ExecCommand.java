package io.bivouac.sandboxio.command;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import io.bivouac.foundation.access.Caller;
import io.bivouac.http.Refuses;
import io.bivouac.sandboxmodel.error.ErrorCode;
import io.micronaut.core.annotation.Nullable;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Post;
import io.micronaut.json.tree.JsonNode;
import io.micronaut.serde.annotation.Serdeable;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.util.Map;
import reactor.core.publisher.Mono;

/** Runs the words of an argv to their end, with nothing but the result in the answer. */
@Tag(name = "processes")
@Controller("/api/v1/sandboxes/{id}")
class ExecCommand {
    private final Commands commands;
    private final ProcessSettings settings;

    ExecCommand(Commands commands, ProcessSettings settings) {
        this.commands = commands;
        this.settings = settings;
    }

    @Serdeable
    @JsonIgnoreProperties(ignoreUnknown = false)
    record Request(
            @Schema(ref = "#/components/schemas/Words", requiredMode = Schema.RequiredMode.REQUIRED) @Nullable JsonNode command,

            @Schema(maxLength = 4096, example = "/tmp") @Nullable String cwd,

            @Schema(maxProperties = 1024) @Nullable Map<String, String> envs,

            @Schema(maxLength = 64, example = "root") @Nullable String user,

            @Nullable String stdin,

            @Schema(minimum = "1", maximum = "86400000") @Nullable Long timeout,

            @Schema(minimum = "1", maximum = "" + CommandOrder.LARGEST_OUTPUT) @Nullable Long maxOutputSize) {}

    @Serdeable
    @JsonInclude(JsonInclude.Include.ALWAYS)
    record Result(int exitCode, String stdout, String stderr) {}

    @Post("/exec")
    @Refuses({ErrorCode.PROCESS_TIMEOUT, ErrorCode.COMMAND_FAILED})
    @Operation(operationId = "execCommand", summary = "Run an argv and give its result")
    @ApiResponse(
            responseCode = "200",
            description = "The result",
            content = @Content(schema = @Schema(implementation = Result.class)))
    Mono<? extends HttpResponse<?>> exec(
            String id,
            @Body Request request,
            @Parameter(hidden = true) Caller caller,
            @Parameter(hidden = true) HttpRequest<?> client) {
        if (request.command() == null || !request.command().isArray()) {
            throw CommandOrder.invalid("command must be a list of words.");
        }
        var order = new RunRequest(
                        request.command(),
                        request.cwd(),
                        request.envs(),
                        request.user(),
                        request.stdin(),
                        request.timeout(),
                        request.maxOutputSize(),
                        false,
                        false)
                .order(settings);
        return ClientPresence.whileConnected(client, commands.run(id, caller, order))
                .map(result -> ResultJson.ofExec(result.inTime()));
    }
}
