package io.bivouac.webhooks.replay;

import static org.assertj.core.api.Assertions.assertThat;

import io.bivouac.foundation.fixture.Eventually;
import io.bivouac.webhooks.delivery.Attempt;
import io.bivouac.webhooks.delivery.Delivery;
import io.bivouac.webhooks.delivery.DeliveryId;
import io.bivouac.webhooks.delivery.EventMessage;
import io.bivouac.webhooks.delivery.Ledger;
import io.bivouac.webhooks.delivery.Outcome;
import io.bivouac.webhooks.endpoint.EndpointDirectory;
import io.bivouac.webhooks.fixture.Api;
import io.bivouac.webhooks.fixture.Messenger;
import io.bivouac.webhooks.fixture.Receiver;
import io.bivouac.webhooks.fixture.Receiver.Received;
import io.bivouac.webhooks.fixture.Receiver.Reply;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A replay that is asked for while an attempt is under way is one more attempt, whatever becomes of that one. */
class ReplayUnderWayTest {
    private static final String ENDPOINTS = "/api/v1/webhooks/endpoints/";
    private static final String DELIVERIES = "/api/v1/webhooks/deliveries/";

    private final Messenger messenger = Messenger.shared();
    private final Api api = messenger.newProject();
    private final Receiver receiver = new Receiver();
    private String endpoint;

    @AfterEach
    void stop() {
        api.delete(ENDPOINTS + endpoint);
        receiver.close();
    }

    @Test
    void whatIsAskedForBeforeTheAnswerIsSentOnceMoreAfterIt() {
        var arrived = new CountDownLatch(1);
        var asked = new CountDownLatch(1);
        receiver.answering(_ -> {
            arrived.countDown();
            asked.await();
            return new Reply(200, "");
        });
        // In strict order nothing is claimed while something is under way: the answer is stored before.
        make("\"types\":[\"sandbox.created\"]", "\"fifo\":true");
        messenger.sandbox(api);
        Eventually.that("a request under way", () -> arrived.getCount() == 0);
        var delivery = api.deliveries(endpoint, "").text("/items/0/id");
        assertThat(api.post(DELIVERIES + delivery + "/replay", "").status()).isEqualTo(202);
        asked.countDown();
        Eventually.that("two requests", () -> receiver.received().size() == 2);
        assertThat(receiver.received().stream().map(Received::id).distinct()).hasSize(1);
        Eventually.that("two attempts in the log, and taken", () -> {
            var row = api.get(DELIVERIES + delivery);
            return row.size("/attempts") == 2 && "delivered".equals(row.text("/state"));
        });
    }

    @Test
    void anEarlierAttemptNeitherSettlesWhatWasPutBackNorGivesItUp() throws Exception {
        make("\"types\":[\"sandbox.created\"]");
        // Nobody but this test sends: what was put back stays where it is.
        api.patch(ENDPOINTS + endpoint, "{\"enabled\":false}");
        var sandbox = messenger.sandbox(api);
        var first = Eventually.get(
                "a delivery that waits", () -> api.deliveries(endpoint, "").text("/items/0/id"), id -> id != null);
        var event = new EventMessage(
                api.get(DELIVERIES + first).text("/eventId"),
                "sandbox.created",
                api.project(),
                sandbox.id().value(),
                "{}".getBytes(StandardCharsets.UTF_8));
        replayAll();
        store(Outcome.delivered(underWay(event, 0), attempt(200)));
        assertThat(state(first)).isEqualTo("waiting with 1 in the log");
        store(Outcome.dead(underWay(event, 0), attempt(500)));
        assertThat(state(first)).isEqualTo("waiting with 2 in the log");
        store(Outcome.delivered(underWay(event, 1), attempt(200)));
        assertThat(state(first)).isEqualTo("delivered with 3 in the log");
        assertThat(api.post(DELIVERIES + first + "/replay", "").status()).isEqualTo(202);
        store(Outcome.retriedAfter(underWay(event, 1), attempt(503), TimeUnit.DAYS.toMillis(1)));
        assertThat(state(first)).isEqualTo("waiting with 4 in the log");
        assertThat(Instant.parse(api.get(DELIVERIES + first).text("/nextAttemptAt")))
                .as("the replay does not wait for the earlier attempt's schedule")
                .isBefore(Instant.now().plusSeconds(3_600));
        store(Outcome.dead(underWay(event, 2), attempt(500)));
        assertThat(state(first)).isEqualTo("dead with 5 in the log");
    }

    private void make(String... fields) {
        endpoint = api.endpoint(receiver.url(), fields).text("/id");
    }

    private void replayAll() {
        var since = Instant.now().minusSeconds(600);
        var answer = api.post(ENDPOINTS + endpoint + "/replay", "{\"since\":\"%s\"}".formatted(since));
        assertThat(answer.text("/replayed")).isEqualTo("1");
    }

    private Delivery underWay(EventMessage event, int replays) {
        var to = messenger.bean(EndpointDirectory.class).find(endpoint);
        return Delivery.claimed(DeliveryId.of(endpoint, event.id()), to, event, new Delivery.Claim(0, replays));
    }

    /** Returns when it is stored. */
    private void store(Outcome outcome) throws InterruptedException {
        var ledger = messenger.bean(Ledger.class);
        var stored = new CountDownLatch(1);
        ledger.listen(outcomes -> {
            if (outcomes.contains(outcome)) {
                stored.countDown();
            }
        });
        ledger.add(outcome);
        assertThat(stored.await(30, TimeUnit.SECONDS)).as("stored").isTrue();
    }

    private static Attempt attempt(int status) {
        return new Attempt(Instant.now(), 1, status, null, null);
    }

    private String state(String delivery) {
        var row = api.get(DELIVERIES + delivery);
        return row.text("/state") + " with " + row.size("/attempts") + " in the log";
    }
}
