package io.bivouac.http;

import io.micronaut.core.annotation.Order;
import io.micronaut.http.MutableHttpResponse;
import io.micronaut.http.annotation.ResponseFilter;
import io.micronaut.http.annotation.ServerFilter;

/** Has browsers take an answer of the API for what it is: data, for this server's own pages and those it has listed. */
@ServerFilter({"/api/**", "/-/**", "/health", "/ready", "/metrics", "/openapi.yml"})
@Order(FilterOrder.ANSWER_HEADERS)
class ApiHeaders {
    private static final String NOTHING = "default-src 'none'; frame-ancestors 'none'";

    @ResponseFilter
    void guard(MutableHttpResponse<?> response) {
        // Contents of sandboxes' files say it too, also where they are not answers of the API.
        response.getHeaders().set("X-Content-Type-Options", "nosniff");
        response.header("Content-Security-Policy", NOTHING)
                .header("Referrer-Policy", "no-referrer")
                .header("Cross-Origin-Resource-Policy", "same-origin");
    }
}
