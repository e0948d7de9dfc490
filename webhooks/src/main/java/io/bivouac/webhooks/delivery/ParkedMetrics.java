package io.bivouac.webhooks.delivery;

import io.micronaut.configuration.metrics.annotation.RequiresMetrics;
import io.micronaut.context.annotation.Context;
import java.time.Clock;
import java.time.Duration;
import java.util.function.Supplier;

/** Figures that are asked from the database when somebody scrapes; unknown (NaN) while it is away. */
@Context
@RequiresMetrics
class ParkedMetrics {
    ParkedMetrics(DeliveryMetrics metrics, DeliveryRows rows, Clock clock) {
        metrics.gauge("bivouac.webhooks.parked", "Deliveries that wait in the database", orUnknown(rows::countWaiting));
        metrics.gauge(
                "bivouac.webhooks.oldest.seconds",
                "Age of the oldest delivery that waits",
                orUnknown(() -> rows.oldestWaiting()
                        .map(oldest -> Duration.between(oldest, clock.instant()).toMillis() / 1e3)
                        .orElse(0.0)));
    }

    private static Supplier<Number> orUnknown(Supplier<Number> value) {
        return () -> {
            try {
                return value.get();
            } catch (RuntimeException databaseAway) {
                return Double.NaN;
            }
        };
    }
}
