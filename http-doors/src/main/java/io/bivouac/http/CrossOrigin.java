package io.bivouac.http;

import io.bivouac.foundation.access.TrustedOrigins;
import io.micronaut.core.annotation.Nullable;
import io.micronaut.core.annotation.Order;
import io.micronaut.http.HttpHeaders;
import io.micronaut.http.HttpMethod;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.MutableHttpResponse;
import io.micronaut.http.annotation.RequestFilter;
import io.micronaut.http.annotation.ResponseFilter;
import io.micronaut.http.annotation.ServerFilter;

/**
 * Lets pages elsewhere that the operator trusts use the API, with a login that they bring themselves: what a browser
 * would add of its own, such as the console's cookie, is of no use to them.
 */
@ServerFilter({"/api/**", "/-/**"})
@Order(FilterOrder.CROSS_ORIGIN)
class CrossOrigin {
    private static final String METHODS = "GET, POST, PUT, PATCH, DELETE";
    private static final String ASKED =
            "Authorization, X-API-Key, DPoP, Content-Type, Idempotency-Key, Last-Event-ID, Prefer, X-Request-Id";
    private static final String ANSWERED = "X-Request-Id, Retry-After, Location, WWW-Authenticate, Content-Disposition";

    /** How long a browser need not ask again, in seconds. */
    private static final String REMEMBERED = "600";

    private final TrustedOrigins trusted;

    CrossOrigin(TrustedOrigins trusted) {
        this.trusted = trusted;
    }

    /** Before the login: a browser asks without one. */
    @RequestFilter
    @Nullable HttpResponse<?> preflight(HttpRequest<?> request) {
        boolean asksFirst = request.getMethod() == HttpMethod.OPTIONS
                && request.getHeaders().contains(HttpHeaders.ACCESS_CONTROL_REQUEST_METHOD);
        if (!asksFirst || !isTrusted(request)) {
            return null;
        }
        var answer = HttpResponse.noContent();
        // What a request filter answers passes no response filter of its own class.
        allow(request, answer);
        return answer.header(HttpHeaders.ACCESS_CONTROL_ALLOW_METHODS, METHODS)
                .header(HttpHeaders.ACCESS_CONTROL_ALLOW_HEADERS, ASKED)
                .header(HttpHeaders.ACCESS_CONTROL_MAX_AGE, REMEMBERED);
    }

    @ResponseFilter
    void allow(HttpRequest<?> request, MutableHttpResponse<?> response) {
        if (isTrusted(request)) {
            response.header(HttpHeaders.ACCESS_CONTROL_ALLOW_ORIGIN, origin(request))
                    .header(HttpHeaders.ACCESS_CONTROL_EXPOSE_HEADERS, ANSWERED)
                    .header(HttpHeaders.VARY, HttpHeaders.ORIGIN);
        }
    }

    private boolean isTrusted(HttpRequest<?> request) {
        var origin = origin(request);
        return origin != null && trusted.include(origin);
    }

    private static @Nullable String origin(HttpRequest<?> request) {
        return request.getHeaders().get(HttpHeaders.ORIGIN);
    }
}
