package io.bivouac.functions.login;

import io.bivouac.http.ConsoleLoginFilter;
import io.bivouac.http.Refuses;
import io.bivouac.sandboxmodel.error.BivouacException;
import io.bivouac.sandboxmodel.error.ErrorCode;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.tags.Tag;

/** Says who is logged in. */
@Tag(name = "session")
@Controller("/api/v1/session")
class ShowLogin {
    @Get
    @Operation(operationId = "getConsoleSession", summary = "Show the browser's session")
    @Refuses(ErrorCode.NOT_FOUND)
    ConsoleLoginView show(@Parameter(hidden = true) HttpRequest<?> request) {
        return ConsoleLoginFilter.of(request)
                .map(session -> ConsoleLoginView.of(session.caller(), session.expiresAt()))
                .orElseThrow(() -> new BivouacException(ErrorCode.NOT_FOUND, "There is no session; this is a key."));
    }
}
