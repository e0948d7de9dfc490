package io.bivouac.fronts.e2b.control;

import io.bivouac.fronts.e2b.E2bIsOn;
import io.bivouac.http.Authentication;
import io.bivouac.http.FilterOrder;
import io.micronaut.context.annotation.Requires;
import io.micronaut.core.annotation.Order;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.annotation.RequestFilter;
import io.micronaut.http.annotation.ServerFilter;
import java.util.concurrent.CompletionStage;

/** Finds the caller of the control plane, which has paths of its own. */
@ServerFilter({"/sandboxes", "/sandboxes/**", "/v2/sandboxes", "/v2/sandboxes/**"})
@Order(FilterOrder.AUTHENTICATION)
@Requires(condition = E2bIsOn.class)
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
