package io.bivouac.webhooks.replay;

import io.bivouac.foundation.access.Caller;
import io.bivouac.foundation.access.Role;
import io.bivouac.foundation.audit.Audit;
import io.bivouac.sandboxmodel.error.BivouacException;
import io.bivouac.sandboxmodel.error.ErrorCode;
import io.bivouac.webhooks.delivery.Deliveries;
import io.bivouac.webhooks.delivery.DeliveryRows;
import io.bivouac.webhooks.delivery.DeliveryView;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Post;
import io.micronaut.http.annotation.Status;
import io.micronaut.json.JsonMapper;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import io.micronaut.transaction.TransactionOperations;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.sql.Connection;

/** Sends one delivery again, with the same {@code webhook-id}; a dead one gets its whole schedule anew. */
@Tag(name = "webhooks")
@Controller("/api/v1/webhooks/deliveries")
@ExecuteOn(TaskExecutors.BLOCKING)
class ReplayDelivery {
    private final Deliveries deliveries;
    private final DeliveryRows rows;
    private final Audit audit;
    private final TransactionOperations<Connection> transactions;
    private final JsonMapper json;

    ReplayDelivery(
            Deliveries deliveries,
            DeliveryRows rows,
            Audit audit,
            TransactionOperations<Connection> transactions,
            JsonMapper json) {
        this.deliveries = deliveries;
        this.rows = rows;
        this.audit = audit;
        this.transactions = transactions;
        this.json = json;
    }

    @Post("/{id}/replay")
    @Status(HttpStatus.ACCEPTED)
    @Operation(operationId = "replayDelivery")
    HttpResponse<DeliveryView> replay(String id, @Parameter(hidden = true) Caller caller) {
        caller.mustBe(Role.DEVELOPER);
        var delivery = deliveries.get(id, caller);
        transactions.executeWrite(_ -> {
            if (rows.putBack(id) == 0) {
                throw new BivouacException(
                        ErrorCode.CONFLICT,
                        "This delivery cannot be sent again: its event is no longer kept, or its endpoint is deleted.");
            }
            rows.ask(delivery.endpointId());
            audit.append(caller.project(), caller.id(), "webhook.replayed", id, delivery.eventId());
            return null;
        });
        return HttpResponse.accepted().body(DeliveryView.of(deliveries.get(id, caller), json));
    }
}
