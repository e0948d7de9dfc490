package io.bivouac.sandboxio.code;

import io.bivouac.foundation.access.Caller;
import io.bivouac.http.Refuses;
import io.bivouac.sandboxmodel.error.ErrorCode;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Delete;
import io.micronaut.http.annotation.Post;
import io.micronaut.http.annotation.Status;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.tags.Tag;
import reactor.core.publisher.Mono;

/** Interrupts, restarts and ends an interpreter. */
@Tag(name = "code")
@Controller("/api/v1/sandboxes/{id}/code/sessions/{session}")
class ControlCodeSession {
    private final Code code;

    ControlCodeSession(Code code) {
        this.code = code;
    }

    @Delete
    @Status(HttpStatus.NO_CONTENT)
    @Refuses(ErrorCode.CODE_SESSION_NOT_FOUND)
    @Operation(operationId = "deleteCodeSession", summary = "End an interpreter, and what runs in it")
    Mono<Void> delete(String id, String session, @Parameter(hidden = true) Caller caller) {
        return code.delete(id, caller, session);
    }

    @Post("/interrupt")
    @Refuses(ErrorCode.CODE_SESSION_NOT_FOUND)
    @Operation(operationId = "interruptCodeSession", summary = "Stop what runs in an interpreter; its variables stay")
    Mono<CodeSessionView> interrupt(String id, String session, @Parameter(hidden = true) Caller caller) {
        return code.interrupt(id, caller, session).map(CodeSessionView::of);
    }

    @Post("/restart")
    @Refuses({ErrorCode.CODE_SESSION_NOT_FOUND, ErrorCode.INTERPRETER_FAILED})
    @Operation(operationId = "restartCodeSession", summary = "Give a session a fresh interpreter")
    Mono<CodeSessionView> restart(String id, String session, @Parameter(hidden = true) Caller caller) {
        return code.restart(id, caller, session).map(CodeSessionView::of);
    }
}
