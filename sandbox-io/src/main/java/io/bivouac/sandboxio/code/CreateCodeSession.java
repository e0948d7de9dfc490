package io.bivouac.sandboxio.code;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import io.bivouac.foundation.access.Caller;
import io.bivouac.http.Refuses;
import io.bivouac.sandboxmodel.error.ErrorCode;
import io.micronaut.core.annotation.Nullable;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Post;
import io.micronaut.serde.annotation.Serdeable;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.tags.Tag;
import reactor.core.publisher.Mono;

/** Starts an interpreter of its own, beside the language's default one. */
@Tag(name = "code")
@Controller("/api/v1/sandboxes/{id}/code/sessions")
class CreateCodeSession {
    private final Code code;

    CreateCodeSession(Code code) {
        this.code = code;
    }

    /** @param cwd /workspace when it is missing */
    @Serdeable
    @JsonIgnoreProperties(ignoreUnknown = false)
    record Request(
            @Schema(
                    requiredMode = Schema.RequiredMode.REQUIRED,
                    allowableValues = {"python", "java", "javascript", "typescript", "go", "bash"})
            @Nullable String language,

            @Schema(maxLength = 4096, example = "/workspace") @Nullable String cwd) {}

    @Post
    @Refuses({ErrorCode.CODE_LIMIT_EXCEEDED, ErrorCode.LANGUAGE_NOT_AVAILABLE, ErrorCode.INTERPRETER_FAILED})
    @Operation(operationId = "createCodeSession", summary = "Start an interpreter that keeps its variables")
    Mono<HttpResponse<CodeSessionView>> create(
            String id, @Body Request request, @Parameter(hidden = true) Caller caller) {
        return code.create(id, caller, CodeLanguage.parse(request.language()), request.cwd())
                .map(session -> HttpResponse.created(CodeSessionView.of(session)));
    }
}
