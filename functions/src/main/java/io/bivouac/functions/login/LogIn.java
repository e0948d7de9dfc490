package io.bivouac.functions.login;

import io.bivouac.foundation.access.Caller;
import io.bivouac.foundation.access.ConsoleLogins;
import io.bivouac.foundation.settings.PublicUrl;
import io.bivouac.http.ConsoleLoginFilter;
import io.bivouac.sandboxmodel.error.BivouacException;
import io.bivouac.sandboxmodel.error.ErrorCode;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Post;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.tags.Tag;

/** Opens a console login for the key that the request is sent with. */
@Tag(name = "session")
@Controller("/api/v1/session")
@ExecuteOn(TaskExecutors.BLOCKING)
class LogIn {
    private final ConsoleLogins logins;
    private final boolean secure;

    LogIn(ConsoleLogins logins, PublicUrl publicUrl) {
        this.logins = logins;
        this.secure = publicUrl.isHttps();
    }

    @Post
    @Operation(operationId = "logIn", summary = "Log a browser in")
    HttpResponse<ConsoleLoginView> open(
            @Parameter(hidden = true) HttpRequest<?> request, @Parameter(hidden = true) Caller caller) {
        if (ConsoleLoginFilter.of(request).isPresent()) {
            // Else a console login could renew itself for ever.
            throw new BivouacException(ErrorCode.UNAUTHORIZED, "A console login is opened with a key.");
        }
        var opened = logins.open(caller);
        return HttpResponse.ok(ConsoleLoginView.of(caller, opened.expiresAt()))
                .cookie(ConsoleCookie.holding(opened.text(), ConsoleLogins.VALID_FOR, secure || request.isSecure()));
    }
}
