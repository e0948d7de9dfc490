package io.bivouac.webhooks.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import io.bivouac.foundation.fixture.EventSchemaCheck;
import io.bivouac.foundation.fixture.Eventually;
import io.bivouac.webhooks.fixture.Api;
import io.bivouac.webhooks.fixture.Messenger;
import io.bivouac.webhooks.fixture.PublicKeyVerifier;
import io.bivouac.webhooks.fixture.Receiver;
import io.bivouac.webhooks.fixture.Receiver.Received;
import io.bivouac.webhooks.fixture.Receiver.Reply;
import io.bivouac.webhooks.signing.Signer;
import io.bivouac.webhooks.signing.SigningKeys;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class DeliveryTest {
    private static final String ENDPOINTS = "/api/v1/webhooks/endpoints/";

    private final Messenger messenger = Messenger.shared();
    private final Api api = messenger.newProject();
    private final Receiver receiver = new Receiver();
    private final List<String> endpoints = new ArrayList<>();

    private Api.Answer endpoint(Receiver to, String... fields) {
        var made = api.endpoint(to.url(), fields);
        assertThat(made.status()).as(made.body()).isEqualTo(201);
        endpoints.add(made.text("/id"));
        return made;
    }

    @AfterEach
    void stop() {
        endpoints.forEach(id -> api.delete(ENDPOINTS + id));
        receiver.close();
    }

    @Test
    void everyChangeArrivesSignedAndWithItsNumber() {
        var made = endpoint(receiver);
        var sandbox = messenger.sandbox(api);
        messenger.agents(sandbox, 3);
        var all = awaitReceived(receiver, 8);
        var bySequence = new HashMap<Long, Received>();
        all.forEach(request -> bySequence.put(request.sequence(), request));
        assertThat(bySequence.keySet()).containsExactlyInAnyOrder(1L, 2L, 3L, 4L, 5L, 6L, 7L, 8L);
        assertThat(bySequence.get(1L).type()).isEqualTo("sandbox.created");
        assertThat(all).allSatisfy(request -> {
            assertThat(request.subject()).isEqualTo(sandbox.id().value());
            assertThat(request.text()).contains("\"id\":\"" + request.id() + "\"");
            assertThat(request.header("Content-Type")).isEqualTo("application/json");
            assertThat(request.header("webhook-signature")).isEqualTo(signature(request, made.text("/secret")));
        });
        Eventually.that("a log of eight", () -> delivered(made.text("/id")) == 8);
    }

    @Test
    void whoAskedForItCanVerifyWithThePublicKeyAlone() throws Exception {
        var made = endpoint(receiver, "\"types\":[\"sandbox.created\"]", "\"signing\":\"v1a\"");
        messenger.sandbox(api);
        var request = awaitReceived(receiver, 1).getFirst();
        var signatures = request.header("webhook-signature");
        long timestamp = Long.parseLong(request.header("webhook-timestamp"));
        assertThat(PublicKeyVerifier.verifies(
                        made.text("/publicKey"), request.id(), timestamp, request.body(), signatures))
                .isTrue();
        assertThat(signatures.split(" ")).contains(signature(request, made.text("/secret")));
    }

    @Test
    void onlyWhatWasAskedForArrives() {
        endpoint(receiver, "\"types\":[\"agent.*\"]");
        var other = messenger.newProject();
        try (var others = new Receiver()) {
            other.endpoint(others.url());
            messenger.agents(messenger.sandbox(other), 1);
            awaitReceived(others, 4);
        }
        var sandbox = messenger.sandbox(api);
        messenger.agents(sandbox, 2);
        // One sandbox's events come in order: with the last one here, those between would have been, too.
        assertThat(awaitReceived(receiver, 3)).allSatisfy(request -> {
            assertThat(request.type()).startsWith("agent.");
            assertThat(request.subject()).isEqualTo(sandbox.id().value());
        });
        assertThat(receiver.received()).hasSize(3);
    }

    @Test
    void aRefusedDeliveryIsTriedAgainWithTheSameIdUntilItIsTaken() {
        receiver.answering(request -> new Reply(receiver.received().size() < 3 ? 500 : 200, "so it goes"));
        var made = endpoint(receiver, "\"types\":[\"sandbox.created\"]", "\"retry\":\"short\"");
        messenger.sandbox(api);
        var all = awaitReceived(receiver, 4);
        assertThat(all).extracting(Received::id).containsOnly(all.getFirst().id());
        assertThat(all.get(1).nanos() - all.get(0).nanos()).isGreaterThan(900_000_000L);
        assertThat(all.get(2).nanos() - all.get(1).nanos()).isGreaterThan(1_900_000_000L);
        assertThat(all.get(3).nanos() - all.get(2).nanos()).isGreaterThan(3_900_000_000L);
        Eventually.that("delivered", () -> delivered(made.text("/id")) == 1);
        var log = api.deliveries(made.text("/id"), "");
        assertThat(log.size("/items/0/attempts")).isEqualTo(4);
        assertThat(log.text("/items/0/attempts/0/status")).isEqualTo("500");
        assertThat(log.text("/items/0/attempts/0/response")).isNull();
        assertThat(api.delivery(log.text("/items/0/id")).text("/attempts/0/response"))
                .isEqualTo("so it goes");
        assertThat(log.text("/items/0/attempts/3/status")).isEqualTo("200");
        assertThat(log.text("/items/0/eventId")).isEqualTo(all.getFirst().id());
    }

    @Test
    void whatIsGivenUpIsDeadAndCanBeSentAgain() {
        receiver.answering(503);
        var made = endpoint(receiver, "\"types\":[\"sandbox.created\"]", "\"retry\":\"short\"");
        messenger.sandbox(api);
        var id = made.text("/id");
        Eventually.that(
                "a dead delivery", () -> api.deliveries(id, "?state=dead").size("/items") == 1);
        assertThat(receiver.received()).hasSize(4);
        receiver.answering(200);
        var replayed = api.post(
                ENDPOINTS + id + "/replay",
                "{\"since\":\"%s\",\"state\":\"dead\"}".formatted(Instant.now().minusSeconds(600)));
        assertThat(replayed.status()).isEqualTo(202);
        assertThat(replayed.text("/replayed")).isEqualTo("1");
        awaitReceived(receiver, 5);
        Eventually.that("delivered", () -> delivered(id) == 1);
        assertThat(receiver.received())
                .extracting(Received::id)
                .containsOnly(receiver.received().getFirst().id());
    }

    @Test
    void oneDeliveryOrASpanOfTimeIsSentAgainOnRequest() {
        var before = Instant.now().minusSeconds(1);
        var made = endpoint(receiver);
        messenger.sandbox(api);
        awaitReceived(receiver, 2);
        var id = made.text("/id");
        Eventually.that("two in the log", () -> delivered(id) == 2);
        var delivery = api.deliveries(id, "").text("/items/0/id");
        assertThat(api.post("/api/v1/webhooks/deliveries/" + delivery + "/replay", "")
                        .status())
                .isEqualTo(202);
        Eventually.that(
                "two attempts in the log",
                () -> api.get("/api/v1/webhooks/deliveries/" + delivery).size("/attempts") == 2);
        var span = api.post(ENDPOINTS + id + "/replay", "{\"since\":\"%s\"}".formatted(before));
        assertThat(span.text("/replayed")).isEqualTo("2");
        awaitReceived(receiver, 5);
        assertThat(receiver.received().stream().map(Received::id).distinct()).hasSize(2);
        assertThat(api.post(ENDPOINTS + id + "/replay", "{}").problem()).isEqualTo("400 1003 INVALID_REQUEST");
        var stranger = messenger.newProject();
        assertThat(stranger.post("/api/v1/webhooks/deliveries/" + delivery + "/replay", "")
                        .problem())
                .isEqualTo("403 1002 FORBIDDEN");
        assertThat(stranger.get("/api/v1/webhooks/deliveries/whd_none").problem())
                .isEqualTo("404 5002 DELIVERY_NOT_FOUND");
    }

    @Test
    void anAnswerOf410DisablesAndWhatComesMeanwhileIsSentOnceItIsEnabled() {
        receiver.answering(410);
        var made = endpoint(receiver, "\"types\":[\"sandbox.*\"]", "\"retry\":\"short\"");
        try (var watcher = new Receiver()) {
            endpoint(watcher, "\"types\":[\"webhook.*\"]");
            messenger.sandbox(api);
            var told = awaitReceived(watcher, 1).getFirst();
            assertThat(told.type()).isEqualTo("webhook.disabled");
            assertThat(told.text()).contains("\"reason\":\"gone\"").contains(made.text("/id"));
            assertThat(told.text()).contains("/#sha256=").doesNotContain(made.text("/url") + "\"");
        }
        var path = ENDPOINTS + made.text("/id");
        assertThat(api.get(path).text("/disabledReason")).isEqualTo("gone");
        int before = receiver.received().size();
        messenger.sandbox(api);
        Eventually.that(
                "four that wait",
                () -> api.deliveries(made.text("/id"), "?state=waiting").size("/items") == 4);
        assertThat(receiver.received()).hasSize(before);
        receiver.answering(200);
        api.patch(path, "{\"enabled\":true}");
        Eventually.that("all four", () -> delivered(made.text("/id")) == 4);
    }

    @Test
    void aReceiverIsLeftAloneForAsLongAsItAsks() {
        receiver.answering(_ -> new Reply(429, "", Map.of("Retry-After", "120")));
        var made = endpoint(receiver, "\"types\":[\"sandbox.created\"]", "\"retry\":\"short\"");
        messenger.sandbox(api);
        var next = Eventually.get(
                "a delivery that waits",
                () -> api.deliveries(made.text("/id"), "?state=waiting").text("/items/0/nextAttemptAt"),
                time -> time != null && api.deliveries(made.text("/id"), "").size("/items/0/attempts") == 1);
        assertThat(Instant.parse(next)).isAfter(Instant.now().plusSeconds(100));
    }

    @Test
    void aRedirectIsNotFollowed() {
        try (var elsewhere = new Receiver()) {
            receiver.answering(_ -> new Reply(302, "", Map.of("Location", elsewhere.url())));
            var made = endpoint(receiver, "\"types\":[\"sandbox.created\"]", "\"retry\":\"short\"");
            messenger.sandbox(api);
            awaitReceived(receiver, 2);
            Eventually.that(
                    "an attempt with 302",
                    () -> "302".equals(api.deliveries(made.text("/id"), "").text("/items/0/attempts/0/status")));
            assertThat(elsewhere.received()).isEmpty();
        }
    }

    @Test
    void aLongAnswerIsKeptUpToABoundAndADeafReceiverTimesOut() {
        receiver.answering(_ -> new Reply(200, "x".repeat(100_000)));
        var made = endpoint(receiver, "\"types\":[\"sandbox.created\"]");
        var deaf = new CountDownLatch(1);
        try (var second = new Receiver()) {
            second.answering(_ -> {
                deaf.await();
                return new Reply(200, "");
            });
            var silent = endpoint(second, "\"types\":[\"sandbox.created\"]");
            messenger.sandbox(api);
            Eventually.that("delivered", () -> delivered(made.text("/id")) == 1);
            var listed = api.deliveries(made.text("/id"), "").text("/items/0/id");
            assertThat(api.delivery(listed).text("/attempts/0/response")).hasSize(16 << 10);
            var error = Eventually.get(
                    "an attempt without an answer",
                    () -> api.deliveries(silent.text("/id"), "").text("/items/0/attempts/0/error"),
                    text -> text != null);
            assertThat(error).contains("no answer within 3.0 s");
            deaf.countDown();
        }
    }

    @Test
    void strictOrderHoldsWhileTheReceiverFails() {
        var refused = ConcurrentHashMap.<String>newKeySet();
        // Every third event is refused once.
        receiver.answering(request ->
                new Reply(request.sequence() % 3 == 0 && refused.add(request.id()) ? 500 : 200, ""));
        endpoint(receiver, "\"fifo\":true", "\"retry\":\"short\"");
        var sandbox = messenger.sandbox(api);
        messenger.agents(sandbox, 12);
        Eventually.that(
                "all taken",
                () -> receiver.accepted().stream().map(Received::id).distinct().count() == 26);
        var firsts =
                receiver.accepted().stream().map(Received::sequence).distinct().toList();
        assertThat(firsts).isSorted().hasSize(26);
    }

    @Test
    void aHangingReceiverHoldsUpNobodyElse() {
        var deaf = new CountDownLatch(1);
        try (var second = new Receiver()) {
            second.answering(_ -> {
                deaf.await();
                return new Reply(200, "");
            });
            var hanging = endpoint(second);
            endpoint(receiver);
            for (int i = 0; i < 20; i++) {
                messenger.sandbox(api);
            }
            // Whoever waited for the deaf one waited for its timeout, 3 s.
            var start = Instant.now().minusNanos(System.nanoTime());
            assertThat(awaitReceived(receiver, 40))
                    .allSatisfy(request -> assertThat(Duration.between(said(request), start.plusNanos(request.nanos())))
                            .isLessThan(Duration.ofMillis(2_500)));
            assertThat(second.accepted()).isEmpty();
            deaf.countDown();
            Eventually.that(
                    "none lost for the slow one",
                    () -> delivered(hanging.text("/id"))
                                    + api.deliveries(hanging.text("/id"), "?state=waiting")
                                            .size("/items")
                            == 40);
        }
    }

    @Test
    void aRotatedSecretSignsBesideTheOldOne() {
        var made = endpoint(receiver, "\"types\":[\"sandbox.created\"]");
        var rotated = api.post(ENDPOINTS + made.text("/id") + "/rotate-secret", "");
        messenger.sandbox(api);
        var request = awaitReceived(receiver, 1).getFirst();
        assertThat(request.header("webhook-signature").split(" "))
                .containsExactly(signature(request, rotated.text("/secret")), signature(request, made.text("/secret")));
    }

    @Test
    void aTestEventGoesToOneEndpointWhateverItAsksFor() {
        var made = endpoint(receiver, "\"types\":[\"sandbox.expired\"]");
        try (var other = new Receiver()) {
            endpoint(other);
            var sent = api.post(ENDPOINTS + made.text("/id") + "/test", "");
            assertThat(sent.status()).isEqualTo(202);
            var request = awaitReceived(receiver, 1).getFirst();
            assertThat(request.type()).isEqualTo("webhook.test");
            assertThat(request.id()).isEqualTo(sent.text("/eventId"));
            messenger.sandbox(api);
            assertThat(awaitReceived(other, 2)).extracting(Received::type).doesNotContain("webhook.test");
        }
    }

    @Test
    void aTestThatWasTakenCanBeSentAgain() {
        var made = endpoint(receiver, "\"types\":[\"sandbox.expired\"]");
        var sent = api.post(ENDPOINTS + made.text("/id") + "/test", "");
        Eventually.that("delivered", () -> delivered(made.text("/id")) == 1);
        var again = api.post("/api/v1/webhooks/deliveries/" + sent.text("/id") + "/replay", "");
        assertThat(again.status()).as(again.body()).isEqualTo(202);
        var both = awaitReceived(receiver, 2);
        assertThat(both.get(1).text()).isEqualTo(both.get(0).text());
    }

    @Test
    void whatIsSaidInATestIsWhatItsSchemaSays() {
        var made = endpoint(receiver);
        api.post(ENDPOINTS + made.text("/id") + "/test", "");
        EventSchemaCheck.mustFit(
                "webhook.test", awaitReceived(receiver, 1).getFirst().text());
    }

    @Test
    void theEventsOfEachSandboxArriveInOrder() {
        // The earlier an event, the longer it takes: whatever could be overtaken would be.
        receiver.answering(request -> {
            Thread.sleep(Math.max(0, 40 - 6 * request.sequence()));
            return new Reply(200, "");
        });
        endpoint(receiver);
        for (int i = 0; i < 5; i++) {
            messenger.agents(messenger.sandbox(api), 3);
        }
        var bySandbox = awaitReceived(receiver, 40).stream()
                .collect(Collectors.groupingBy(
                        Received::subject, Collectors.mapping(Received::sequence, Collectors.toList())));
        assertThat(bySandbox).hasSize(5);
        assertThat(bySandbox.values())
                .allSatisfy(sequences -> assertThat(sequences).containsExactly(1L, 2L, 3L, 4L, 5L, 6L, 7L, 8L));
    }

    @Test
    void whatSomebodyAsksForIsTriedAtOnceThoughTheReceiverIsLeftAlone() {
        receiver.answering(_ -> new Reply(503, "", Map.of("Retry-After", "3600")));
        var made = endpoint(receiver, "\"types\":[\"sandbox.created\"]");
        var id = made.text("/id");
        messenger.sandbox(api);
        Eventually.that("a refusal", () -> api.deliveries(id, "?state=waiting").size("/items/0/attempts") == 1);
        messenger.sandbox(api);
        Eventually.that(
                "another that waits", () -> api.deliveries(id, "?state=waiting").size("/items") == 2);
        var test = "/api/v1/webhooks/deliveries/"
                + api.post(ENDPOINTS + id + "/test", "").text("/id");
        Eventually.that("a test that is refused", () -> api.get(test).size("/attempts") == 1);
        receiver.answering(200);
        api.post(test + "/replay", "");
        Eventually.that("it works again, and all is sent that was never tried", () -> delivered(id) == 2);
        assertThat(api.get(test).text("/state")).isEqualTo("delivered");
    }

    @Test
    void aRateIsKept() {
        endpoint(receiver, "\"rateLimit\":5");
        for (int i = 0; i < 8; i++) {
            messenger.sandbox(api);
        }
        var all = awaitReceived(receiver, 16);
        // Five at once, and eleven at five a second.
        assertThat(all.getLast().nanos() - all.getFirst().nanos()).isGreaterThan(2_000_000_000L);
    }

    private long delivered(String endpoint) {
        return api.deliveries(endpoint, "?state=delivered").size("/items");
    }

    private static List<Received> awaitReceived(Receiver from, int count) {
        return Eventually.get(count + " requests", from::received, list -> list.size() >= count);
    }

    private static Instant said(Received request) {
        return Instant.parse(request.text().replaceAll(".*\"timestamp\":\"([^\"]+)\".*", "$1"));
    }

    private static String signature(Received request, String secret) {
        return new Signer(SigningKeys.parse(secret), null, null)
                .sign(
                        request.id(),
                        Instant.ofEpochSecond(Long.parseLong(request.header("webhook-timestamp"))),
                        request.body());
    }
}
