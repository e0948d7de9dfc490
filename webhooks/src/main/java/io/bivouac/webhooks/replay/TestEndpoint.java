package io.bivouac.webhooks.replay;

import io.bivouac.events.Event;
import io.bivouac.events.EventType;
import io.bivouac.events.WebhookData;
import io.bivouac.foundation.access.Caller;
import io.bivouac.foundation.access.Role;
import io.bivouac.foundation.outbox.Outbox;
import io.bivouac.sandboxmodel.SortableId;
import io.bivouac.sandboxmodel.error.BivouacException;
import io.bivouac.sandboxmodel.error.ErrorCode;
import io.bivouac.webhooks.delivery.Deliveries;
import io.bivouac.webhooks.delivery.DeliveryId;
import io.bivouac.webhooks.delivery.DeliveryRows;
import io.bivouac.webhooks.delivery.DeliveryView;
import io.bivouac.webhooks.endpoint.Endpoint;
import io.bivouac.webhooks.endpoint.Endpoints;
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
import java.io.IOException;
import java.io.UncheckedIOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;

/** Sends one endpoint an event of type {@code webhook.test}, whatever types it asks for, on the way of all others. */
@Tag(name = "webhooks")
@Controller("/api/v1/webhooks/endpoints")
@ExecuteOn(TaskExecutors.BLOCKING)
class TestEndpoint {
    private final Endpoints endpoints;
    private final Deliveries deliveries;
    private final DeliveryRows rows;
    private final TransactionOperations<Connection> transactions;
    private final JsonMapper json;

    TestEndpoint(
            Endpoints endpoints,
            Deliveries deliveries,
            DeliveryRows rows,
            TransactionOperations<Connection> transactions,
            JsonMapper json) {
        this.endpoints = endpoints;
        this.deliveries = deliveries;
        this.rows = rows;
        this.transactions = transactions;
        this.json = json;
    }

    @Post("/{id}/test")
    @Status(HttpStatus.ACCEPTED)
    @Operation(operationId = "testEndpoint")
    HttpResponse<DeliveryView> test(String id, @Parameter(hidden = true) Caller caller) {
        caller.mustBe(Role.DEVELOPER);
        var endpoint = endpoints.get(id, caller);
        if (!endpoint.isEnabled()) {
            throw new BivouacException(
                    ErrorCode.CONFLICT, "The endpoint is disabled, so nothing is sent to it; enable it first.");
        }
        var event = event(endpoint);
        transactions.executeWrite(status -> {
            try {
                PutBack.events(status.getConnection(), endpoint, List.of(event));
            } catch (SQLException failed) {
                throw new IllegalStateException("cannot park the test: " + failed.getMessage(), failed);
            }
            return rows.ask(id);
        });
        return HttpResponse.accepted()
                .body(DeliveryView.of(deliveries.get(DeliveryId.of(id, event.id()), caller), json));
    }

    /** It is about nothing but itself, so it takes no number in anybody else's sequence. */
    private KeptEvent event(Endpoint endpoint) {
        var id = SortableId.next(Outbox.EVENT_PREFIX);
        var type = EventType.WEBHOOK_TEST.wireName();
        var event = new Event(
                id,
                type,
                Instant.now().truncatedTo(ChronoUnit.MICROS),
                endpoint.project(),
                id,
                1,
                new WebhookData(endpoint.id(), endpoint.url().toString(), null));
        try {
            return new KeptEvent(0, id, type, id, json.writeValueAsString(event));
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
    }
}
