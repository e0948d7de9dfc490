package io.bivouac.fronts.opensandbox.control;

import io.bivouac.fronts.opensandbox.OpenSandboxIsOn;
import io.bivouac.http.FilterOrder;
import io.bivouac.http.Problem;
import io.micronaut.context.annotation.Requires;
import io.micronaut.core.annotation.Order;
import io.micronaut.http.MediaType;
import io.micronaut.http.MutableHttpResponse;
import io.micronaut.http.annotation.ResponseFilter;
import io.micronaut.http.annotation.ServerFilter;
import io.micronaut.serde.annotation.Serdeable;

/** Puts refusals into the form of OpenSandbox. */
@ServerFilter("/v1/**")
@Order(FilterOrder.FRONT_ANSWERS)
@Requires(condition = OpenSandboxIsOn.class)
class ErrorForm {
    /** @param code the name of a row of the error table */
    @Serdeable
    record OpenSandboxError(String code, String message) {}

    @ResponseFilter
    void translate(MutableHttpResponse<?> response) {
        if (response.body() instanceof Problem problem) {
            response.contentType(MediaType.APPLICATION_JSON_TYPE)
                    .body(new OpenSandboxError(problem.name(), problem.detail()));
        }
    }
}
