package io.bivouac.http;

import io.micronaut.context.annotation.Requires;
import io.micronaut.core.annotation.Order;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.annotation.RequestFilter;
import io.micronaut.http.annotation.ServerFilter;
import java.util.concurrent.CompletionStage;

/** {@link Authentication} for the control planes of other platforms, which have paths of their own. */
@ServerFilter({"/sandboxes", "/sandboxes/**", "/v2/sandboxes", "/v2/sandboxes/**"})
@Order(FilterOrder.AUTHENTICATION)
@Requires(property = "bivouac.fronts", notEquals = "off")
class FrontAuthentication {
    private final Authentication authentication;

    FrontAuthentication(Authentication authentication) {
        this.authentication = authentication;
    }

    @RequestFilter
    CompletionStage<HttpRequest<?>> authenticate(HttpRequest<?> request) {
        return authentication.authenticate(request);
    }
}
