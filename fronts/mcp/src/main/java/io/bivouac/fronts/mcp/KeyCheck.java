package io.bivouac.fronts.mcp;

import io.bivouac.http.Authentication;
import io.bivouac.http.FilterOrder;
import io.micronaut.context.annotation.Requires;
import io.micronaut.core.annotation.Order;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.annotation.RequestFilter;
import io.micronaut.http.annotation.ServerFilter;
import java.util.concurrent.CompletionStage;

/** Finds the caller: a key or a token, as everywhere. */
@ServerFilter("/mcp")
@Order(FilterOrder.AUTHENTICATION)
@Requires(condition = McpIsOn.class)
class KeyCheck {
    private final Authentication authentication;

    KeyCheck(Authentication authentication) {
        this.authentication = authentication;
    }

    @RequestFilter
    CompletionStage<HttpRequest<?>> authenticate(HttpRequest<?> request) {
        return authentication.authenticate(request);
    }
}
