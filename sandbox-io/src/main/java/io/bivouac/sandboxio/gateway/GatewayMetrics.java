package io.bivouac.sandboxio.gateway;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import jakarta.inject.Singleton;

/** The gateway's figures. Thread-safe. */
@Singleton
class GatewayMetrics {
    private final Counter passed;
    private final Counter refused;

    GatewayMetrics(MeterRegistry registry, BackConnections connections) {
        passed = Counter.builder("bivouac.gateway.requests")
                .description("Requests to ports of sandboxes")
                .tag("outcome", "passed")
                .register(registry);
        refused = Counter.builder("bivouac.gateway.requests")
                .description("Requests to ports of sandboxes")
                .tag("outcome", "refused")
                .register(registry);
        registry.gauge("bivouac.gateway.connections", connections, BackConnections::size);
    }

    void passed() {
        passed.increment();
    }

    void refused() {
        refused.increment();
    }
}
