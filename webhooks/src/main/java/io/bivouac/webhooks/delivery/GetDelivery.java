package io.bivouac.webhooks.delivery;

import io.bivouac.foundation.access.Caller;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.json.JsonMapper;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.tags.Tag;

/** Shows one delivery with its attempts. */
@Tag(name = "webhooks")
@Controller("/api/v1/webhooks/deliveries")
@ExecuteOn(TaskExecutors.BLOCKING)
class GetDelivery {
    private final Deliveries deliveries;
    private final JsonMapper json;

    GetDelivery(Deliveries deliveries, JsonMapper json) {
        this.deliveries = deliveries;
        this.json = json;
    }

    @Get("/{id}")
    @Operation(operationId = "getDelivery", summary = "Shows one delivery with its attempts")
    DeliveryView get(String id, @Parameter(hidden = true) Caller caller) {
        return DeliveryView.of(deliveries.get(id, caller), json);
    }
}
