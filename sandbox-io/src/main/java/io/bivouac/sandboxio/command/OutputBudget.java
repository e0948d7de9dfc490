package io.bivouac.sandboxio.command;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import jakarta.inject.Singleton;
import java.lang.ref.Cleaner;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Bounds what all commands together may have collected here, since one heap holds it. What is streamed takes
 * nothing of it. Thread-safe.
 */
@Singleton
class OutputBudget {
    private static final Cleaner CLEANER = Cleaner.create();

    private final long bytes;
    private final AtomicLong taken = new AtomicLong();

    OutputBudget(ProcessSettings settings, MeterRegistry registry) {
        this.bytes = settings.getOutputBudget();
        Gauge.builder("bivouac.commands.collected", taken, AtomicLong::get)
                .baseUnit("bytes")
                .description("Command output held in memory until its response is sent")
                .register(registry);
    }

    /** Ends with its holder at the latest: bytes that nobody can reach any more take no memory. */
    Share shareOf(Object holder) {
        var share = new Share();
        share.cleanable = CLEANER.register(holder, share::giveBack);
        return share;
    }

    /** What one command has taken. */
    final class Share {
        private final AtomicLong mine = new AtomicLong();
        private volatile boolean closed;
        private Cleaner.Cleanable cleanable;

        /** False when there is no room for so much. */
        boolean take(int more) {
            if (taken.addAndGet(more) > bytes) {
                taken.addAndGet(-more);
                return false;
            }
            mine.addAndGet(more);
            if (closed) {
                // Output came while its client went.
                giveBack();
            }
            return true;
        }

        void close() {
            closed = true;
            cleanable.clean();
        }

        private void giveBack() {
            taken.addAndGet(-mine.getAndSet(0));
        }
    }
}
