package io.bivouac.webhooks.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import io.bivouac.foundation.fixture.Eventually;
import io.bivouac.webhooks.fixture.Messenger;
import io.bivouac.webhooks.fixture.Receiver;
import org.junit.jupiter.api.Test;

class DeliveryMetricsTest {
    private static final String ENDPOINTS = "/api/v1/webhooks/endpoints/";

    @Test
    void whatHappensIsCountedAndWhatWaitsIsSeen() {
        var messenger = Messenger.shared();
        var api = messenger.newProject();
        try (var receiver = new Receiver()) {
            var made = api.endpoint(receiver.url());
            var off = api.endpoint(receiver.url(), "\"enabled\":false");
            messenger.sandbox(api);
            Eventually.that(
                    "figures", () -> value(api.get("/metrics").body(), "deliveries_total{result=\"delivered\"}") >= 2);
            var figures = Eventually.get(
                    "parked ones",
                    () -> api.get("/metrics").body(),
                    text -> value(text, "deliveries_total{result=\"parked\"}") >= 2 && value(text, "parked") >= 2);
            assertThat(value(figures, "attempts_seconds_count")).isGreaterThanOrEqualTo(2);
            assertThat(value(figures, "oldest_seconds")).isPositive();
            assertThat(figures).contains("bivouac_webhooks_lanes_depth ", "bivouac_webhooks_unwritten ");
            api.delete(ENDPOINTS + made.text("/id"));
            api.delete(ENDPOINTS + off.text("/id"));
        }
    }

    private static double value(String figures, String name) {
        return figures.lines()
                .filter(line -> line.startsWith("bivouac_webhooks_" + name + " "))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' '))))
                .findFirst()
                .orElse(-1);
    }
}
