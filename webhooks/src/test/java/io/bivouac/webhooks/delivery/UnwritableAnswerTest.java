package io.bivouac.webhooks.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import io.bivouac.foundation.fixture.Eventually;
import io.bivouac.foundation.outbox.Outbox;
import io.bivouac.sandboxmodel.SortableId;
import io.bivouac.webhooks.endpoint.Endpoint;
import io.bivouac.webhooks.endpoint.EndpointDirectory;
import io.bivouac.webhooks.fixture.Api;
import io.bivouac.webhooks.fixture.Messenger;
import io.bivouac.webhooks.fixture.RawReceiver;
import io.bivouac.webhooks.fixture.Receiver;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** What a receiver sends may be anything, and everybody's deliveries are written down by one. */
class UnwritableAnswerTest {
    private final Messenger messenger = Messenger.shared();
    private final Api api = messenger.newProject();

    @Test
    void aStatusLineWithANulIsWrittenDownAndNobodyElseIsHeldUp() throws Exception {
        try (var hostile = new RawReceiver("HTTP/1.1 2\0 " + "x".repeat(1_000) + "\r\n\r\n");
                var receiver = new Receiver()) {
            var bad = api.endpoint(hostile.url(), "\"types\":[\"sandbox.created\"]", "\"retry\":\"short\"");
            var good = api.endpoint(receiver.url(), "\"types\":[\"sandbox.created\"]");
            messenger.sandbox(api);
            var error = Eventually.get(
                    "a failed attempt",
                    () -> api.deliveries(bad.text("/id"), "").text("/items/0/attempts/0/error"),
                    text -> text != null);
            assertThat(error).contains("2\uFFFD").hasSizeLessThanOrEqualTo(200);
            messenger.sandbox(api);
            Eventually.that(
                    "both at the other one, and in its log",
                    () -> api.deliveries(good.text("/id"), "?state=delivered").size("/items") == 2);
            api.delete("/api/v1/webhooks/endpoints/" + bad.text("/id"));
            api.delete("/api/v1/webhooks/endpoints/" + good.text("/id"));
        }
    }

    @Test
    void anOutcomeThatTheDatabaseRefusesIsStoredWithoutItsWords() throws Exception {
        var endpoint = endpoint();
        var stored = new CountDownLatch(3);
        var ledger = messenger.bean(Ledger.class);
        var refused = Delivery.fresh(endpoint, event("{}"), stored::countDown);
        var unstorable = Delivery.fresh(endpoint, event("{\0}"), stored::countDown);
        var fine = Delivery.fresh(endpoint, event("{}"), stored::countDown);
        ledger.add(Outcome.dead(refused, new Attempt(Instant.now(), 1, null, "a \0", null)));
        ledger.add(Outcome.dead(unstorable, new Attempt(Instant.now(), 1, 500, null, null)));
        ledger.add(Outcome.delivered(fine, new Attempt(Instant.now(), 1, 200, null, null)));
        assertThat(stored.await(20, TimeUnit.SECONDS)).as("all three settled").isTrue();
        var row = api.get("/api/v1/webhooks/deliveries/" + refused.id());
        assertThat(row.text("/state")).isEqualTo("dead");
        assertThat(row.text("/attempts/0/error")).contains("cannot be written down");
        assertThat(api.get("/api/v1/webhooks/deliveries/" + fine.id()).text("/state"))
                .isEqualTo("delivered");
        assertThat(api.get("/api/v1/webhooks/deliveries/" + unstorable.id()).status())
                .isEqualTo(404);
    }

    @Test
    void whatIsGivenBackAfterItsRowWasDroppedDoesNotComeBack() throws Exception {
        var endpoint = endpoint();
        var event = event("{}");
        var gone =
                Delivery.claimed(DeliveryId.of(endpoint.id(), event.id()), endpoint, event, new Delivery.Claim(2, 0));
        var after = new CountDownLatch(1);
        var ledger = messenger.bean(Ledger.class);
        ledger.add(Outcome.parked(gone));
        ledger.add(Outcome.dead(
                Delivery.fresh(endpoint, event("{}"), after::countDown),
                new Attempt(Instant.now(), 1, 500, null, null)));
        assertThat(after.await(20, TimeUnit.SECONDS)).isTrue();
        assertThat(api.get("/api/v1/webhooks/deliveries/" + gone.id()).status()).isEqualTo(404);
    }

    private Endpoint endpoint() {
        var made = api.endpoint("https://hooks.example.org/", "\"types\":[\"sandbox.expired\"]");
        var directory = messenger.bean(EndpointDirectory.class);
        return Eventually.get("the endpoint", () -> directory.find(made.text("/id")), found -> found != null);
    }

    private EventMessage event(String envelope) {
        var id = SortableId.next(Outbox.EVENT_PREFIX);
        return new EventMessage(id, "sandbox.expired", api.project(), id, envelope.getBytes(StandardCharsets.UTF_8));
    }
}
