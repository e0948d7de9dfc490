package io.bivouac.webhooks.endpoint;

import io.bivouac.foundation.access.Caller;
import io.bivouac.foundation.access.Role;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Delete;
import io.micronaut.http.annotation.Status;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.tags.Tag;

/** Ends an endpoint; what waits for it is cancelled. */
@Tag(name = "webhooks")
@Controller("/api/v1/webhooks/endpoints")
@ExecuteOn(TaskExecutors.BLOCKING)
class DeleteEndpoint {
    private final Endpoints endpoints;

    DeleteEndpoint(Endpoints endpoints) {
        this.endpoints = endpoints;
    }

    @Delete("/{id}")
    @Status(HttpStatus.NO_CONTENT)
    @Operation(operationId = "deleteEndpoint", summary = "Ends an endpoint")
    HttpResponse<Void> delete(String id, @Parameter(hidden = true) Caller caller) {
        caller.mustBe(Role.DEVELOPER);
        endpoints.delete(id, caller);
        return HttpResponse.noContent();
    }
}
