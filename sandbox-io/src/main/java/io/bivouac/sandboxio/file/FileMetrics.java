package io.bivouac.sandboxio.file;

import io.bivouac.sandboxio.file.Transfers.Direction;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import jakarta.inject.Singleton;
import java.util.function.Supplier;

/** Figures about files. Thread-safe. */
@Singleton
class FileMetrics {
    private final MeterRegistry registry;
    private final Counter in;
    private final Counter out;

    FileMetrics(MeterRegistry registry) {
        this.registry = registry;
        this.in = bytes("in");
        this.out = bytes("out");
    }

    private Counter bytes(String direction) {
        return Counter.builder("bivouac.files.transferred")
                .baseUnit("bytes")
                .tag("direction", direction)
                .description("File contents carried into and out of sandboxes")
                .register(registry);
    }

    void countTransfers(Supplier<Number> underWay) {
        Gauge.builder("bivouac.files.transfers", underWay)
                .description("File transfers and watches under way")
                .register(registry);
    }

    void carried(Direction direction, int size) {
        (direction == Direction.IN ? in : out).increment(size);
    }

    void operated(String operation, boolean done) {
        registry.counter("bivouac.files.operations", "operation", operation, "result", done ? "done" : "refused")
                .increment();
    }
}
