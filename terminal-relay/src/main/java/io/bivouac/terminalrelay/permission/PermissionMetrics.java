package io.bivouac.terminalrelay.permission;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import jakarta.inject.Singleton;
import java.util.concurrent.atomic.LongAdder;

/** Figures about questions, under the names that are documented. Thread-safe. */
@Singleton
class PermissionMetrics {
    private final LongAdder asked = new LongAdder();

    PermissionMetrics(MeterRegistry registry) {
        // A gauge, since a counter's name would get a suffix that the documented one does not have.
        Gauge.builder("terminal.permission.requests", asked, LongAdder::sum)
                .description("Questions for permission that came to this relay")
                .strongReference(true)
                .register(registry);
    }

    void asked() {
        asked.increment();
    }
}
