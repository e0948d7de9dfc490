package io.bivouac.sandboxio.command;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import jakarta.inject.Singleton;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/** Figures about commands. Thread-safe. */
@Singleton
class CommandMetrics {
    private final AtomicInteger open = new AtomicInteger();
    private final Map<Ending, Counter> endings = new EnumMap<>(Ending.class);
    private final Counter bytes;

    /** How reading a command ended. */
    enum Ending {
        EXITED,
        TIMED_OUT,
        REFUSED,
        LOST,
        LEFT
    }

    CommandMetrics(MeterRegistry registry) {
        Gauge.builder("bivouac.commands.running", open, AtomicInteger::get)
                .description("Commands whose output is being read")
                .register(registry);
        for (var ending : Ending.values()) {
            endings.put(
                    ending,
                    registry.counter("bivouac.commands", "result", ending.name().toLowerCase(Locale.ROOT)));
        }
        bytes = Counter.builder("bivouac.commands.output")
                .baseUnit("bytes")
                .description("Output carried out of sandboxes")
                .register(registry);
    }

    Reading begin() {
        return begin(() -> {});
    }

    /** @param atEnd when it is no longer read, once */
    Reading begin(Runnable atEnd) {
        open.incrementAndGet();
        return new Reading(atEnd);
    }

    /** One command while it is read. */
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
                endings.get(how).increment();
                atEnd.run();
            }
        }
    }
}
