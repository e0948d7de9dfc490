package io.bivouac.fronts.e2b.control;

import io.bivouac.fronts.e2b.E2bIsOn;
import io.bivouac.http.FilterOrder;
import io.bivouac.http.Problem;
import io.micronaut.context.annotation.Requires;
import io.micronaut.core.annotation.Order;
import io.micronaut.http.MediaType;
import io.micronaut.http.MutableHttpResponse;
import io.micronaut.http.annotation.ResponseFilter;
import io.micronaut.http.annotation.ServerFilter;
import io.micronaut.serde.annotation.Serdeable;

/** Puts refusals into the form of E2B, whose SDKs tell a missing sandbox by the number in the body. */
@ServerFilter({"/sandboxes", "/sandboxes/**", "/v2/sandboxes", "/v2/sandboxes/**"})
@Order(FilterOrder.FRONT_ANSWERS)
@Requires(condition = E2bIsOn.class)
class ErrorForm {
    /** @param code the HTTP status */
    @Serdeable
    record E2bError(int code, String message) {}

    @ResponseFilter
    void translate(MutableHttpResponse<?> response) {
        if (response.body() instanceof Problem problem) {
            response.contentType(MediaType.APPLICATION_JSON_TYPE)
                    .body(new E2bError(problem.status(), problem.detail()));
        }
    }
}
