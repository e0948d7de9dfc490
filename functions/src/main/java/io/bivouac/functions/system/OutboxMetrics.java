package io.bivouac.functions.system;

import io.bivouac.foundation.outbox.Outbox;
import io.bivouac.sandboxes.store.SandboxStore;
import io.bivouac.sandboxes.store.StateCount;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micronaut.configuration.metrics.annotation.RequiresMetrics;
import io.micronaut.context.annotation.Context;
import java.util.List;
import java.util.function.Supplier;

/** Figures that are asked from the database when somebody scrapes; unknown (NaN) while it is away. */
@Context
@RequiresMetrics
class OutboxMetrics {
    OutboxMetrics(MeterRegistry registry, Outbox outbox, SandboxStore store) {
        gauge(registry, "bivouac.outbox.unpublished", "Events that wait for Kafka", outbox::unpublished);
        gauge(
                registry,
                "bivouac.outbox.lag.seconds",
                "Age of the oldest event that waits for Kafka",
                () -> outbox.lag(store.now()).toMillis() / 1e3);
        for (var state : List.of("starting", "running", "paused", "stopping", "stopped", "expired", "error")) {
            Gauge.builder("bivouac.sandboxes", orUnknown(() -> count(store, state)))
                    .description("Sandboxes by state")
                    .tag("state", state)
                    .register(registry);
        }
    }

    private static long count(SandboxStore store, String state) {
        return store.countByState().stream()
                .filter(count -> count.state().equals(state))
                .mapToLong(StateCount::sandboxes)
                .sum();
    }

    private static void gauge(MeterRegistry registry, String name, String description, Supplier<Number> value) {
        Gauge.builder(name, orUnknown(value)).description(description).register(registry);
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
