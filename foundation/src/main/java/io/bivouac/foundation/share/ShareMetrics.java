package io.bivouac.foundation.share;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;

/** Shows how much of a pool is taken, and what was refused by which of its bounds. */
public final class ShareMetrics {
    private ShareMetrics() {}

    /** @param name of the pool, as the label {@code pool} has it: one of a fixed few */
    public static void show(MeterRegistry metrics, String name, Shares shares) {
        Gauge.builder("bivouac.shares.taken", shares, Shares::taken)
                .tag("pool", name)
                .register(metrics);
        Gauge.builder("bivouac.shares.waiting", shares, Shares::waiting)
                .tag("pool", name)
                .register(metrics);
        Gauge.builder("bivouac.shares.most", shares, pool -> pool.bounds().total())
                .tag("pool", name)
                .register(metrics);
        for (var bound : Bound.values()) {
            FunctionCounter.builder("bivouac.shares.refused", shares, pool -> pool.refused(bound))
                    .tag("pool", name)
                    .tag("bound", bound.wireName())
                    .register(metrics);
        }
    }
}
