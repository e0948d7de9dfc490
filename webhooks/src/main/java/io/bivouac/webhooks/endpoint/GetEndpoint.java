package io.bivouac.webhooks.endpoint;

import io.bivouac.foundation.access.Caller;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.tags.Tag;

/** Shows one endpoint. */
@Tag(name = "webhooks")
@Controller("/api/v1/webhooks/endpoints")
@ExecuteOn(TaskExecutors.BLOCKING)
class GetEndpoint {
    private final Endpoints endpoints;

    GetEndpoint(Endpoints endpoints) {
        this.endpoints = endpoints;
    }

    @Get("/{id}")
    @Operation(operationId = "getEndpoint", summary = "Shows one endpoint")
    EndpointView get(String id, @Parameter(hidden = true) Caller caller) {
        return EndpointView.of(endpoints.get(id, caller), caller);
    }
}
