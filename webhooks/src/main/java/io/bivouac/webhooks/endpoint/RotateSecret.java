package io.bivouac.webhooks.endpoint;

import io.bivouac.foundation.access.Caller;
import io.bivouac.foundation.access.Role;
import io.bivouac.webhooks.endpoint.Endpoint.Keys;
import io.bivouac.webhooks.signing.SigningKeys;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Post;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.time.Duration;

/** Replaces an endpoint's secret; for a day deliveries carry a signature of each. */
@Tag(name = "webhooks")
@Controller("/api/v1/webhooks/endpoints")
@ExecuteOn(TaskExecutors.BLOCKING)
class RotateSecret {
    static final Duration OVERLAP = Duration.ofHours(24);

    private final Endpoints endpoints;

    RotateSecret(Endpoints endpoints) {
        this.endpoints = endpoints;
    }

    @Post("/{id}/rotate-secret")
    @Operation(operationId = "rotateSecret", summary = "Replaces an endpoint's secret")
    EndpointView rotate(String id, @Parameter(hidden = true) Caller caller) {
        caller.mustBe(Role.DEVELOPER);
        return EndpointView.withSecret(endpoints.change(id, caller, "webhook.secret-rotated", this::rotated));
    }

    private Endpoint rotated(Endpoint endpoint) {
        var old = endpoint.keys().current();
        var at = endpoints.now();
        var keys = new Keys(SigningKeys.fresh(old.seed() != null), old, at.plus(OVERLAP));
        return endpoint.with(keys, at);
    }
}
