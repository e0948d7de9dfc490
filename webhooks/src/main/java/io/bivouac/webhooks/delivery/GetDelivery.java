package io.bivouac.webhooks.delivery;

import io.bivouac.foundation.access.Caller;
import io.bivouac.foundation.memory.Purpose;
import io.bivouac.http.Answers;
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
    /** Twenty attempts with 16 KiB each, in JSON's longest spelling. */
    static final int LARGEST = LedgerStatement.REMEMBERED * (96 + 1) * 1024;

    private final Deliveries deliveries;
    private final JsonMapper json;
    private final Answers answers;

    GetDelivery(Deliveries deliveries, JsonMapper json, Answers answers) {
        this.deliveries = deliveries;
        this.json = json;
        this.answers = answers;
    }

    @Get("/{id}")
    @Operation(operationId = "getDelivery", summary = "Shows one delivery with its attempts")
    DeliveryView get(String id, @Parameter(hidden = true) Caller caller) {
        var row = answers.held(
                Purpose.LISTING,
                caller,
                LARGEST,
                () -> deliveries.get(id, caller),
                found -> found.log().length());
        return DeliveryView.of(row, json);
    }
}
