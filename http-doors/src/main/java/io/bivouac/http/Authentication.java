package io.bivouac.http;

import io.bivouac.sandboxes.access.ApiKeys;
import io.bivouac.sandboxes.access.Caller;
import io.bivouac.sandboxes.access.KeyText;
import io.bivouac.sandboxes.error.BivouacException;
import io.bivouac.sandboxes.error.ErrorCode;
import io.micronaut.core.annotation.Order;
import io.micronaut.core.order.Ordered;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.annotation.RequestFilter;
import io.micronaut.http.annotation.ServerFilter;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;

/** Finds out who is calling, for everything under the API, and holds them to their rate. */
@ServerFilter("/api/**")
@Order(Ordered.HIGHEST_PRECEDENCE + 300)
class Authentication {
    static final String CALLER = "bivouac.caller";
    private static final String BEARER = "Bearer ";
    private static final int LONGEST_KEY = 512;

    private final ApiKeys keys;
    private final RateLimit rateLimit;

    Authentication(ApiKeys keys, RateLimit rateLimit) {
        this.keys = keys;
        this.rateLimit = rateLimit;
    }

    @RequestFilter
    @ExecuteOn(TaskExecutors.BLOCKING)
    void authenticate(HttpRequest<?> request) {
        var session = SessionLogin.of(request);
        if (session.isPresent()) {
            rateLimit.take(session.get().caller().id());
            return;
        }
        var text = keyIn(request);
        if (text == null || text.isBlank()) {
            throw unauthorized("Send an API key: 'Authorization: Bearer KEY' or 'X-API-Key: KEY'.");
        }
        var caller = (text.length() > LONGEST_KEY
                        ? java.util.Optional.<Caller>empty()
                        : keys.authenticate(new KeyText(text)))
                .orElseThrow(() -> unauthorized("This key is not known or was revoked."));
        rateLimit.take(caller.id());
        request.setAttribute(CALLER, caller);
    }

    private static String keyIn(HttpRequest<?> request) {
        var header = request.getHeaders().get("Authorization");
        if (header != null && header.regionMatches(true, 0, BEARER, 0, BEARER.length())) {
            return header.substring(BEARER.length()).strip();
        }
        return request.getHeaders().get("X-API-Key");
    }

    private static BivouacException unauthorized(String detail) {
        return new BivouacException(ErrorCode.UNAUTHORIZED, detail);
    }
}
