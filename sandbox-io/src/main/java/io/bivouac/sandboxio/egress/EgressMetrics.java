package io.bivouac.sandboxio.egress;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import jakarta.inject.Singleton;
import java.util.function.IntSupplier;

/** Figures about what leaves sandboxes. Thread-safe. */
@Singleton
class EgressMetrics {
    private final MeterRegistry registry;
    private final Counter sent;
    private final Counter received;
    private final Counter cut;

    EgressMetrics(MeterRegistry registry) {
        this.registry = registry;
        this.sent = registry.counter("bivouac.egress.bytes", "direction", "out");
        this.received = registry.counter("bivouac.egress.bytes", "direction", "in");
        this.cut = registry.counter("bivouac.egress.cut");
    }

    void countOpen(IntSupplier open) {
        Gauge.builder("bivouac.egress.open", open, IntSupplier::getAsInt)
                .description("Connections out of sandboxes")
                .strongReference(true)
                .register(registry);
    }

    void ended(EgressResult result) {
        registry.counter("bivouac.egress.connections", "result", result.wireName())
                .increment();
    }

    void sent(int bytes) {
        sent.increment(bytes);
    }

    void received(int bytes) {
        received.increment(bytes);
    }

    void cut(int connections) {
        cut.increment(connections);
    }
}
