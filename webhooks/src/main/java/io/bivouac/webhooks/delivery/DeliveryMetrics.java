package io.bivouac.webhooks.delivery;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** Counts what happens. Thread-safe. */
@Singleton
public class DeliveryMetrics {
    private final MeterRegistry registry;
    private final Timer attempts;
    private final Counter delivered;
    private final Counter failed;
    private final Counter dead;
    private final Counter parked;

    DeliveryMetrics(MeterRegistry registry, Ledger ledger) {
        this.registry = registry;
        attempts = Timer.builder("bivouac.webhooks.attempts")
                .description("Duration of delivery attempts, from request to response")
                .publishPercentileHistogram()
                .register(registry);
        delivered = counter("delivered");
        failed = counter("failed");
        dead = counter("dead");
        parked = counter("parked");
        gauge("bivouac.webhooks.unwritten", "Outcomes that wait for the database", ledger::pending);
        ledger.listen(this::count);
    }

    private Counter counter(String result) {
        return Counter.builder("bivouac.webhooks.deliveries")
                .description("Deliveries by outcome of their attempt, or of the wait for one")
                .tag("result", result)
                .register(registry);
    }

    public void watchLanes(Supplier<Number> depth) {
        gauge("bivouac.webhooks.lanes.depth", "Deliveries in the lanes of this process", depth);
    }

    final void gauge(String name, String description, Supplier<Number> value) {
        Gauge.builder(name, value).description(description).register(registry);
    }

    public void attempted(long nanos) {
        attempts.record(nanos, TimeUnit.NANOSECONDS);
    }

    private void count(List<Outcome> stored) {
        for (var outcome : stored) {
            switch (outcome.state()) {
                case DELIVERED -> delivered.increment();
                case DEAD -> dead.increment();
                case WAITING -> (outcome.attempt() == null ? parked : failed).increment();
                case CANCELLED -> {}
            }
        }
    }
}
