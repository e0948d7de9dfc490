package io.bivouac.webhooks.delivery;

import io.bivouac.foundation.access.Caller;
import io.bivouac.foundation.paging.Page;
import io.bivouac.http.Answers;
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
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.util.Arrays;

/** Lists an endpoint's deliveries with their attempts but not their answers, those of the newest events first. */
@Tag(name = "webhooks")
@Controller("/api/v1/webhooks/endpoints")
@ExecuteOn(TaskExecutors.BLOCKING)
class ListDeliveries {
    private final Endpoints endpoints;
    private final DeliveryRows rows;
    private final JsonMapper json;
    private final Answers answers;

    ListDeliveries(Endpoints endpoints, DeliveryRows rows, JsonMapper json, Answers answers) {
        this.endpoints = endpoints;
        this.rows = rows;
        this.json = json;
        this.answers = answers;
    }

    @Get("/{id}/deliveries")
    @Operation(
            operationId = "listDeliveries",
            summary = "Lists an endpoint's deliveries with their attempts, those of the newest events first",
            description = "What receivers answered (response) is left out; getDelivery has it.")
    Listing<DeliveryView> list(
            String id,
            @Parameter(schema = @Schema(allowableValues = {"waiting", "delivered", "dead", "cancelled"}))
                    @Nullable @QueryValue
                    String state,
            @Nullable @QueryValue Integer limit,
            @Nullable @QueryValue String cursor,
            @Parameter(hidden = true) Caller caller) {
        endpoints.get(id, caller);
        int most = Listing.limit(limit);
        var wanted = known(state);
        return Listing.of(answers.page(caller, () -> page(id, cursor, wanted, most)));
    }

    private Page<DeliveryView> page(String id, @Nullable String cursor, @Nullable String state, int most) {
        return Page.of(rows.page(id, cursor, state, most + 1), most, DeliveryRow::id, row -> Page.utf8(row.log()))
                .map(row -> DeliveryView.of(row, json));
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
