package io.bivouac.agentlink;

import io.grpc.Status;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import jakarta.inject.Singleton;
import java.util.Locale;
import java.util.function.IntSupplier;

/** Figures about agents. Thread-safe. */
@Singleton
class AgentMetrics {
    private final MeterRegistry registry;

    AgentMetrics(MeterRegistry registry) {
        this.registry = registry;
    }

    void countConnected(IntSupplier connected) {
        Gauge.builder("bivouac.agents.connected", connected, IntSupplier::getAsInt)
                .description("Agents connected to this relay")
                .strongReference(true)
                .register(registry);
    }

    void countReaders(IntSupplier readers) {
        Gauge.builder("bivouac.agents.readers", readers, IntSupplier::getAsInt)
                .description("Streams of agents that are read at this relay")
                .strongReference(true)
                .register(registry);
    }

    void refused(Status.Code reason) {
        registry.counter("bivouac.agents.refused", "reason", reason.name().toLowerCase(Locale.ROOT))
                .increment();
    }

    /** @param bound of one {@code sandbox}, of {@code all}, or {@code unknown} when its process cannot be told */
    void connectionRefused(String bound) {
        registry.counter("bivouac.agents.connections.refused", "bound", bound).increment();
    }

    /** A sandbox has as many connections as it may; more of it wait unaccepted. */
    void connectionsWait() {
        registry.counter("bivouac.agents.connections.waiting").increment();
    }

    void violation() {
        registry.counter("bivouac.agents.violations").increment();
    }

    void lost() {
        registry.counter("bivouac.agents.lost").increment();
    }
}
