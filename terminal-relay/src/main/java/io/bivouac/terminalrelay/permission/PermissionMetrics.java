package io.bivouac.terminalrelay.permission;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import jakarta.inject.Singleton;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/** Figures about questions, under the names that are documented. Thread-safe. */
@Singleton
class PermissionMetrics {
    private final LongAdder asked = new LongAdder();
    private final Timer questions;
    private final Timer answers;

    PermissionMetrics(MeterRegistry registry) {
        // A gauge, since a counter's name would get a suffix that the documented one does not have.
        Gauge.builder("terminal.permission.requests", asked, LongAdder::sum)
                .description("Permission requests received by this relay")
                .strongReference(true)
                .register(registry);
        questions = passage(registry, "question");
        answers = passage(registry, "answer");
    }

    private static Timer passage(MeterRegistry registry, String part) {
        return Timer.builder("terminal.permission.passage")
                .description("Time that a permission request or its answer spends in this relay")
                .tag("part", part)
                .publishPercentileHistogram()
                .register(registry);
    }

    void asked() {
        asked.increment();
    }

    /** A question that came in at that reading of the system's nanosecond clock has been sent to the approvers. */
    void questionPassed(long cameIn) {
        questions.record(System.nanoTime() - cameIn, TimeUnit.NANOSECONDS);
    }

    /** The same for an answer that has been sent to the agent, or left to the agent's own relay. */
    void answerPassed(long cameIn) {
        answers.record(System.nanoTime() - cameIn, TimeUnit.NANOSECONDS);
    }
}
