package io.bivouac.webhooks.lane;

import static org.assertj.core.api.Assertions.assertThat;

import io.bivouac.foundation.fixture.Eventually;
import io.bivouac.webhooks.endpoint.EndpointDirectory;
import io.bivouac.webhooks.fixture.Messenger;
import io.bivouac.webhooks.fixture.Receiver;
import io.bivouac.webhooks.fixture.Receiver.Received;
import io.bivouac.webhooks.fixture.Receiver.Reply;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** An endpoint may ask for strict order while something waits in its lane that has no row yet. */
class SwitchToStrictOrderTest {
    private final Messenger messenger = Messenger.shared();

    @Test
    void whatWaitsBehindAFailureIsKept() {
        // On a busy machine the held request may time out before the switch; its successors may then go before it.
        Eventually.that("a switch while the request is held", this::isSwitchedWhileARequestIsHeld);
    }

    /** Whether the switch came in time; if so, order was kept. */
    private boolean isSwitchedWhileARequestIsHeld() {
        var api = messenger.newProject();
        var requests = new AtomicInteger();
        var secondArrived = new CountDownLatch(1);
        var switched = new CountDownLatch(1);
        try (var receiver = new Receiver()) {
            receiver.answering(_ -> switch (requests.incrementAndGet()) {
                case 1 -> new Reply(500, "");
                case 2 -> {
                    secondArrived.countDown();
                    switched.await();
                    yield new Reply(500, "");
                }
                default -> new Reply(200, "");
            });
            var endpoint = api.endpoint(receiver.url(), "\"types\":[\"agent.*\"]", "\"retry\":\"short\"")
                    .text("/id");
            var path = "/api/v1/webhooks/endpoints/" + endpoint;
            var sandbox = messenger.sandbox(api);
            messenger.agents(sandbox, 1);
            Eventually.that("the first one's second attempt", () -> secondArrived.getCount() == 0);
            int before = messenger.bean(Lanes.class).depth();
            messenger.agents(sandbox, 1);
            Eventually.that(
                    "another behind it", () -> messenger.bean(Lanes.class).depth() > before);
            api.patch(path, "{\"fifo\":true}");
            Eventually.that(
                    "the lane knows", () -> laneOf(endpoint).endpoint().manner().fifo());
            boolean inTime = requests.get() == 2;
            switched.countDown();
            Eventually.that("all taken", () -> distinct(receiver) == 3);
            if (inTime) {
                assertThat(receiver.accepted().stream().map(Received::sequence)).isSorted();
            }
            api.delete(path);
            return inTime;
        }
    }

    private Lane laneOf(String endpoint) {
        return messenger
                .bean(Lanes.class)
                .of(messenger.bean(EndpointDirectory.class).find(endpoint));
    }

    private static long distinct(Receiver receiver) {
        return receiver.accepted().stream().map(Received::id).distinct().count();
    }
}
