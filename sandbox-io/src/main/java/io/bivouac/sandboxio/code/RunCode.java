package io.bivouac.sandboxio.code;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import io.bivouac.foundation.access.Caller;
import io.bivouac.http.Refuses;
import io.bivouac.sandboxio.command.ClientPresence;
import io.bivouac.sandboxmodel.error.BivouacException;
import io.bivouac.sandboxmodel.error.ErrorCode;
import io.micronaut.core.annotation.Nullable;
import io.micronaut.http.HttpHeaders;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.MediaType;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Post;
import io.micronaut.http.annotation.Produces;
import io.micronaut.json.JsonMapper;
import io.micronaut.serde.annotation.Serdeable;
import io.netty.buffer.ByteBuf;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.util.Map;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Runs code in an interpreter that keeps its variables: as a stream of events, or in one piece. */
@Tag(name = "code")
@Controller("/api/v1/sandboxes/{id}/code")
class RunCode {
    private final Code code;
    private final CodeSettings settings;
    private final JsonMapper json;

    RunCode(Code code, CodeSettings settings, JsonMapper json) {
        this.code = code;
        this.settings = settings;
        this.json = json;
    }

    /**
     * Code as it came from outside; {@link CodeToRun} checks it.
     *
     * @param language may be missing where there is a session
     * @param sessionId the language's default session when it is missing
     * @param timeout in seconds; 600 when it is missing
     * @param envs variables of this run alone
     * @param stream events as they come, unless it is false
     * @param stdin there is none: it is here to be refused
     */
    @Serdeable
    @JsonIgnoreProperties(ignoreUnknown = false)
    record Request(
            @Schema(
                    allowableValues = {"python", "java", "javascript", "typescript", "go", "bash"},
                    example = "python")
            @Nullable String language,

            @Schema(
                    requiredMode = Schema.RequiredMode.REQUIRED,
                    maxLength = CodeToRun.LARGEST_CODE,
                    example = "print(1)")
            @Nullable String code,

            @Schema(maxLength = 128, example = "default-python") @Nullable String sessionId,

            @Schema(maximum = "86400", example = "30") @Nullable Double timeout,

            @Schema(maxProperties = 1024) @Nullable Map<String, String> envs,

            @Nullable Boolean stream,

            @Schema(hidden = true) @Nullable String stdin) {
        CodeToRun toRun(CodeSettings settings) {
            if (stdin != null) {
                throw BivouacException.invalidRequest(
                        "Code has no standard input; pass values in the code, as variables or as files.");
            }
            return CodeToRun.of(language, code, sessionId, timeout, envs, settings);
        }
    }

    @Post
    @Produces({MediaType.TEXT_EVENT_STREAM, MediaType.APPLICATION_JSON})
    @Refuses({
        ErrorCode.CODE_SESSION_NOT_FOUND,
        ErrorCode.CODE_LIMIT_EXCEEDED,
        ErrorCode.LANGUAGE_NOT_AVAILABLE,
        ErrorCode.INTERPRETER_FAILED
    })
    @Operation(operationId = "runCode", summary = "Run code in an interpreter that keeps its variables")
    @ApiResponse(
            responseCode = "200",
            description = "Events, the last of which is an exit; without stream, all of it in one piece",
            content = {
                @Content(mediaType = MediaType.TEXT_EVENT_STREAM, schema = @Schema(type = "string")),
                @Content(mediaType = MediaType.APPLICATION_JSON, schema = @Schema(implementation = CodeRunView.class))
            })
    Mono<? extends HttpResponse<?>> run(
            String id,
            @Body Request request,
            @Parameter(hidden = true) Caller caller,
            @Parameter(hidden = true) HttpRequest<?> client) {
        var toRun = request.toRun(settings);
        if (Boolean.FALSE.equals(request.stream())) {
            return ClientPresence.whileConnected(client, code.collect(id, caller, toRun))
                    .map(result ->
                            HttpResponse.ok(CodeJson.of(result, json)).contentType(MediaType.APPLICATION_JSON_TYPE));
        }
        return code.run(id, caller, toRun).map(events -> answer(events, CodeFrames.of(json)));
    }

    /** The frame around an event stream. */
    static HttpResponse<Flux<ByteBuf>> answer(Flux<CodeEvent> events, CodeFrames frames) {
        return HttpResponse.ok(events.mapNotNull(frames::of))
                .contentType(MediaType.TEXT_EVENT_STREAM_TYPE)
                .header(HttpHeaders.CACHE_CONTROL, "no-store")
                // Proxies that collect before they pass on would turn a stream into a wait.
                .header("X-Accel-Buffering", "no");
    }
}
