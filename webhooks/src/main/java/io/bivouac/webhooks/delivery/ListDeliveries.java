package io.bivouac.webhooks.delivery;

import io.bivouac.foundation.access.Caller;
import io.bivouac.foundation.paging.Page;
import io.bivouac.http.Listing;
import io.bivouac.sandboxmodel.error.BivouacException;
import io.bivouac.sandboxmodel.error.ErrorCode;
import io.bivouac.webhooks.delivery.Outcome.State;
import io.bivouac.webhooks.endpoint.Endpoints;
import io.micronaut.core.annotation.Nullable;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.QueryValue;
import io.micronaut.json.JsonMapper;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.util.Arrays;

/** Lists an endpoint's deliveries with their attempts, those of the newest events first. */
@Tag(name = "webhooks")
@Controller("/api/v1/webhooks/endpoints")
@ExecuteOn(TaskExecutors.BLOCKING)
class ListDeliveries {
    private final Endpoints endpoints;
    private final DeliveryRows rows;
    private final JsonMapper json;

    ListDeliveries(Endpoints endpoints, DeliveryRows rows, JsonMapper json) {
        this.endpoints = endpoints;
        this.rows = rows;
        this.json = json;
    }

    @Get("/{id}/deliveries")
    @Operation(
            operationId = "listDeliveries",
            summary = "Lists an endpoint's deliveries with their attempts, those of the newest events first")
    Listing<DeliveryView> list(
            String id,
            @Nullable @QueryValue String state,
            @Nullable @QueryValue Integer limit,
            @Nullable @QueryValue String cursor,
            @Parameter(hidden = true) Caller caller) {
        endpoints.get(id, caller);
        int most = Listing.limit(limit);
        var found = rows.page(id, cursor, known(state), most + 1);
        return Listing.of(Page.of(found, most, DeliveryRow::id).map(row -> DeliveryView.of(row, json)));
    }

    @Nullable private static String known(@Nullable String state) {
        if (state != null
                && Arrays.stream(State.values()).map(LedgerStatement::wireName).noneMatch(state::equals)) {
            throw new BivouacException(
                    ErrorCode.INVALID_REQUEST, "state must be waiting, delivered, dead or cancelled.");
        }
        return state;
    }
}
