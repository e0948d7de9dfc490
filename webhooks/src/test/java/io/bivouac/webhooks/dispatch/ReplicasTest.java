package io.bivouac.webhooks.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import io.bivouac.foundation.fixture.Eventually;
import io.bivouac.webhooks.fixture.Messenger;
import io.bivouac.webhooks.fixture.Receiver;
import io.bivouac.webhooks.fixture.Receiver.Received;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Several messengers are one messenger. */
class ReplicasTest {
    private static final int SANDBOXES = 30;

    @Test
    void nothingIsLostWhileAnotherMessengerComesAndGoes() {
        var first = Messenger.shared();
        var api = first.newProject();
        try (var receiver = new Receiver();
                var ordered = new Receiver()) {
            var endpoint = api.endpoint(receiver.url());
            var fifo = api.endpoint(ordered.url(), "\"fifo\":true");
            try (var second = Messenger.with(Map.of())) {
                for (int i = 0; i < SANDBOXES; i++) {
                    second.agents(second.sandbox(api), 1);
                }
                Eventually.that("some arrived", () -> receiver.received().size() > SANDBOXES);
            }
            for (int i = 0; i < SANDBOXES; i++) {
                first.agents(first.sandbox(api), 1);
            }
            for (var one : List.of(receiver, ordered)) {
                Eventually.that(
                        "each of four events of each sandbox",
                        () -> one.accepted().stream()
                                        .map(Received::id)
                                        .distinct()
                                        .count()
                                == SANDBOXES * 2 * 4);
            }
            var firsts = ordered.accepted().stream()
                    .collect(Collectors.groupingBy(
                            Received::subject, Collectors.mapping(Received::sequence, Collectors.toList())));
            assertThat(firsts.values())
                    .allSatisfy(numbers ->
                            assertThat(numbers.stream().distinct().toList()).isSorted());
            api.delete("/api/v1/webhooks/endpoints/" + endpoint.text("/id"));
            api.delete("/api/v1/webhooks/endpoints/" + fifo.text("/id"));
        }
    }
}
