package io.bivouac.functions.login;

import io.bivouac.foundation.access.ConsoleLogins;
import io.bivouac.foundation.access.LoginLinks;
import io.bivouac.foundation.settings.PublicUrl;
import io.bivouac.sandboxmodel.error.BivouacException;
import io.bivouac.sandboxmodel.error.ErrorCode;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.MediaType;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.Post;
import io.micronaut.http.annotation.Produces;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import io.micronaut.serde.annotation.Serdeable;
import io.swagger.v3.oas.annotations.Hidden;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/**
 * The page that a login link opens. The code is behind the link's {@code #}, which browsers keep to themselves: no proxy
 * and no log sees it. The page sends it in a body and is given the console's cookie.
 */
@Hidden
@Controller("/login")
class LoginLinkPage {
    /** As our codes are, with room to spare. */
    private static final int LONGEST_CODE = 64;

    private final LoginLinks links;
    private final ConsoleLogins logins;
    private final boolean secure;

    LoginLinkPage(LoginLinks links, ConsoleLogins logins, PublicUrl publicUrl) {
        this.links = links;
        this.logins = logins;
        this.secure = publicUrl.isHttps();
    }

    @Serdeable
    record Code(String code) {}

    @Get
    @Produces(MediaType.TEXT_HTML)
    String page() {
        return resource("login.html");
    }

    @Get("/link.js")
    @Produces("text/javascript")
    String script() {
        return resource("link.js");
    }

    @Post
    @ExecuteOn(TaskExecutors.BLOCKING)
    HttpResponse<ConsoleLoginView> exchange(HttpRequest<?> request, @Body Code body) {
        var caller = body.code().length() > LONGEST_CODE
                ? null
                : links.use(body.code()).orElse(null);
        if (caller == null) {
            throw new BivouacException(
                    ErrorCode.UNAUTHORIZED, "This login link was used before, or is too old. Log in with the API key.");
        }
        var opened = logins.open(caller);
        return HttpResponse.ok(ConsoleLoginView.of(caller, opened.expiresAt()))
                .cookie(ConsoleCookie.holding(opened.text(), ConsoleLogins.VALID_FOR, secure || request.isSecure()));
    }

    private static String resource(String name) {
        try (var in = LoginLinkPage.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new IllegalStateException(name + " is not on the class path");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }
}
