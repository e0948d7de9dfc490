package io.bivouac.webhooks.endpoint;

import io.bivouac.foundation.access.Caller;
import io.bivouac.foundation.access.Role;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Post;
import io.micronaut.http.annotation.Status;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.parameters.RequestBody;
import io.swagger.v3.oas.annotations.tags.Tag;

/** Makes an endpoint and shows its secret this once. */
@Tag(name = "webhooks")
@Controller("/api/v1/webhooks/endpoints")
@ExecuteOn(TaskExecutors.BLOCKING)
class CreateEndpoint {
    private final Endpoints endpoints;
    private final EndpointRules rules;

    CreateEndpoint(Endpoints endpoints, EndpointRules rules) {
        this.endpoints = endpoints;
        this.rules = rules;
    }

    @Post
    @Status(HttpStatus.CREATED)
    @Operation(operationId = "createEndpoint", summary = "Makes an endpoint and shows its secret this once")
    HttpResponse<EndpointView> create(
            @RequestBody(content = @Content(schema = @Schema(ref = "#/components/schemas/NewEndpoint"))) @Body
                    EndpointRequest request,
            @Parameter(hidden = true) Caller caller) {
        caller.mustBe(Role.DEVELOPER);
        var endpoint = endpoints.add(rules.made(request, caller, endpoints.now()), caller);
        return HttpResponse.created(EndpointView.withSecret(endpoint));
    }
}
