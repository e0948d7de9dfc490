package io.bivouac.sandboxio.code;

import io.bivouac.foundation.access.Caller;
import io.bivouac.http.Listing;
import io.bivouac.http.Refuses;
import io.bivouac.sandboxmodel.error.ErrorCode;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.tags.Tag;
import reactor.core.publisher.Mono;

/** The interpreters of a sandbox. */
@Tag(name = "code")
@Controller("/api/v1/sandboxes/{id}/code/sessions")
class ListCodeSessions {
    private final Code code;

    ListCodeSessions(Code code) {
        this.code = code;
    }

    @Get
    @Refuses(ErrorCode.SANDBOX_NOT_RUNNING)
    @Operation(operationId = "listCodeSessions", summary = "List a sandbox's interpreters")
    Mono<Listing<CodeSessionView>> list(String id, @Parameter(hidden = true) Caller caller) {
        return code.sessions(id, caller)
                .map(sessions ->
                        new Listing<>(sessions.stream().map(CodeSessionView::of).toList(), null));
    }
}
