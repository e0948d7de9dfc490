package io.bivouac.webhooks.endpoint;

import io.bivouac.foundation.access.Caller;
import io.bivouac.foundation.access.Role;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Patch;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.tags.Tag;

/** Changes what the request names; enabling one sends what was parked meanwhile. */
@Tag(name = "webhooks")
@Controller("/api/v1/webhooks/endpoints")
@ExecuteOn(TaskExecutors.BLOCKING)
class ChangeEndpoint {
    private final Endpoints endpoints;
    private final EndpointRules rules;

    ChangeEndpoint(Endpoints endpoints, EndpointRules rules) {
        this.endpoints = endpoints;
        this.rules = rules;
    }

    @Patch("/{id}")
    @Operation(operationId = "changeEndpoint", summary = "Changes what the request names")
    EndpointView change(String id, @Body EndpointRequest request, @Parameter(hidden = true) Caller caller) {
        caller.mustBe(Role.DEVELOPER);
        return EndpointView.of(endpoints.change(
                id, caller, "webhook.changed", endpoint -> rules.changed(endpoint, request, caller, endpoints.now())));
    }
}
