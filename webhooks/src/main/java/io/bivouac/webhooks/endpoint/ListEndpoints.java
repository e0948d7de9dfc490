package io.bivouac.webhooks.endpoint;

import io.bivouac.foundation.access.Caller;
import io.bivouac.http.Answers;
import io.bivouac.http.Listing;
import io.micronaut.core.annotation.Nullable;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.QueryValue;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.tags.Tag;

/** Lists the project's endpoints, the newest first. */
@Tag(name = "webhooks")
@Controller("/api/v1/webhooks/endpoints")
@ExecuteOn(TaskExecutors.BLOCKING)
class ListEndpoints {
    private final Endpoints endpoints;
    private final Answers answers;

    ListEndpoints(Endpoints endpoints, Answers answers) {
        this.endpoints = endpoints;
        this.answers = answers;
    }

    @Get
    @Operation(operationId = "listEndpoints", summary = "Lists the project's endpoints, the newest first")
    Listing<EndpointView> list(
            @Nullable @QueryValue Integer limit,
            @Nullable @QueryValue String cursor,
            @Parameter(hidden = true) Caller caller) {
        int most = Listing.limit(limit);
        return Listing.of(answers.page(
                caller, () -> endpoints.list(caller, cursor, most).map(endpoint -> EndpointView.of(endpoint, caller))));
    }
}
