package io.bivouac.sandboxio.code;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import jakarta.inject.Singleton;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/** Figures about code. Thread-safe. */
@Singleton
class CodeMetrics {
    private final MeterRegistry registry;
    private final AtomicInteger open = new AtomicInteger();
    private final Counter bytes;

    /** How a run ended. */
    enum Ending {
        OK,
        RAISED,
        TIMED_OUT,
        SESSION_LOST,
        REFUSED,
        LOST,
        LEFT
    }

    CodeMetrics(MeterRegistry registry) {
        this.registry = registry;
        Gauge.builder("bivouac.code.running", open, AtomicInteger::get)
                .description("Runs of code that are being read")
                .register(registry);
        bytes = Counter.builder("bivouac.code.output")
                .baseUnit("bytes")
                .description("What code printed and showed, carried out of sandboxes")
                .register(registry);
    }

    /** @param atEnd when it is no longer read, once */
    Reading begin(Runnable atEnd) {
        open.incrementAndGet();
        return new Reading(atEnd);
    }

    /** One run while it is read. */
    final class Reading {
        private final AtomicBoolean over = new AtomicBoolean();
        private final Runnable atEnd;

        private Reading(Runnable atEnd) {
            this.atEnd = atEnd;
        }

        void carried(int size) {
            bytes.increment(size);
        }

        void end(Ending how) {
            if (over.compareAndSet(false, true)) {
                open.decrementAndGet();
                registry.counter("bivouac.code.runs", "result", how.name().toLowerCase(Locale.ROOT))
                        .increment();
                atEnd.run();
            }
        }
    }
}
