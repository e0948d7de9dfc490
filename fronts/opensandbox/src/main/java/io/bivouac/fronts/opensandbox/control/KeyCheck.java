package io.bivouac.fronts.opensandbox.control;

import io.bivouac.fronts.opensandbox.OpenSandboxIsOn;
import io.bivouac.fronts.opensandbox.Plane;
import io.bivouac.http.Authentication;
import io.bivouac.http.FilterOrder;
import io.micronaut.context.annotation.Requires;
import io.micronaut.core.annotation.Order;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.annotation.RequestFilter;
import io.micronaut.http.annotation.ServerFilter;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Finds the caller by the header of the SDKs. Inside of a sandbox its own token counts, and nothing is asked here. */
@ServerFilter("/v1/**")
@Order(FilterOrder.AUTHENTICATION)
@Requires(condition = OpenSandboxIsOn.class)
class KeyCheck {
    static final String KEY = "OPEN-SANDBOX-API-KEY";

    private final Authentication authentication;

    KeyCheck(Authentication authentication) {
        this.authentication = authentication;
    }

    @RequestFilter
    CompletionStage<HttpRequest<?>> authenticate(HttpRequest<?> request) {
        return Plane.isInside(request.getPath())
                ? CompletableFuture.completedFuture(request)
                : authentication.authenticate(request, request.getHeaders().get(KEY));
    }
}
