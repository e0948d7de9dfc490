package io.bivouac.terminalrelay.terminal;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import jakarta.inject.Singleton;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/** Figures about terminals, under the names that are documented. Thread-safe. */
@Singleton
class TerminalMetrics {
    private final AtomicLong active = new AtomicLong();
    private final AtomicInteger attached = new AtomicInteger();
    private final AtomicInteger tasks = new AtomicInteger();
    private final LongAdder bytesIn = new LongAdder();
    private final LongAdder bytesOut = new LongAdder();
    private final Counter made;

    TerminalMetrics(MeterRegistry registry) {
        gauge(registry, "terminal.sessions.active", active, "Terminals that live, on all relays");
        gauge(registry, "terminal.attachments", attached, "Clients attached at this relay");
        gauge(registry, "terminal.tasks", tasks, "What this relay is doing for clients, or waits to do");
        // Gauges, since a counter's name would get a suffix that the documented ones do not have.
        gauge(registry, "terminal.bytes.in", bytesIn, "Bytes typed through this relay");
        gauge(registry, "terminal.bytes.out", bytesOut, "Bytes of output sent by this relay");
        made = Counter.builder("terminal.sessions")
                .description("Terminals made by this relay")
                .register(registry);
    }

    private static void gauge(MeterRegistry registry, String name, Number value, String description) {
        Gauge.builder(name, value, Number::doubleValue)
                .description(description)
                .strongReference(true)
                .register(registry);
    }

    void made() {
        made.increment();
        active.incrementAndGet();
    }

    void live(long count) {
        active.set(count);
    }

    void joined() {
        attached.incrementAndGet();
    }

    void left() {
        attached.decrementAndGet();
    }

    void during(Runnable task) {
        tasks.incrementAndGet();
        try {
            task.run();
        } finally {
            tasks.decrementAndGet();
        }
    }

    void typed(int bytes) {
        bytesIn.add(bytes);
    }

    void shown(int bytes) {
        bytesOut.add(bytes);
    }
}
