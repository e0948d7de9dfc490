package io.bivouac.functions.login;

import io.bivouac.http.ConsoleLoginFilter;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Delete;
import io.micronaut.http.annotation.Status;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.time.Duration;

/** Takes the cookie back. */
@Tag(name = "session")
@Controller("/api/v1/session")
class LogOut {
    @Delete
    @Status(HttpStatus.NO_CONTENT)
    @Operation(operationId = "logOut", summary = "Log a browser out")
    HttpResponse<Void> close(@Parameter(hidden = true) HttpRequest<?> request) {
        boolean secure = request.isSecure() || request.getCookies().contains(ConsoleLoginFilter.SECURE_COOKIE);
        return HttpResponse.<Void>noContent().cookie(ConsoleCookie.holding("", Duration.ZERO, secure));
    }
}
