package io.bivouac.functions.session;

import io.bivouac.foundation.access.Caller;
import io.bivouac.foundation.access.Sessions;
import io.bivouac.http.SessionLogin;
import io.bivouac.sandboxmodel.error.BivouacException;
import io.bivouac.sandboxmodel.error.ErrorCode;
import io.micronaut.context.annotation.Value;
import io.micronaut.core.annotation.Nullable;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Post;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.tags.Tag;

/** Opens a session for the key that the request is sent with. */
@Tag(name = "session")
@Controller("/api/v1/session")
@ExecuteOn(TaskExecutors.BLOCKING)
class LogIn {
    private final Sessions sessions;
    private final boolean secure;

    LogIn(Sessions sessions, @Nullable @Value("${bivouac.public-url}") String publicUrl) {
        this.sessions = sessions;
        this.secure = publicUrl != null && publicUrl.startsWith("https:");
    }

    @Post
    @Operation(operationId = "logIn", summary = "Log a browser in")
    HttpResponse<SessionView> open(
            @Parameter(hidden = true) HttpRequest<?> request, @Parameter(hidden = true) Caller caller) {
        if (SessionLogin.of(request).isPresent()) {
            // Else a session could renew itself for ever.
            throw new BivouacException(ErrorCode.UNAUTHORIZED, "A session is opened with a key.");
        }
        var opened = sessions.open(caller);
        return HttpResponse.ok(SessionView.of(caller, opened.expiresAt()))
                .cookie(SessionCookie.holding(opened.text(), Sessions.VALID_FOR, secure || request.isSecure()));
    }
}
