package io.bivouac.sandboxes.warm;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micronaut.context.annotation.Context;
import io.micronaut.context.annotation.Requires;

/** Shows how many sandboxes of a template are ready, how many are wanted, and how many creates found one. */
@Context
@Requires(beans = {MeterRegistry.class, WarmPool.class})
class WarmMetrics {
    private static final String TEMPLATE = "template";

    WarmMetrics(MeterRegistry metrics, WarmPool warm) {
        warm.pools().tell(pool -> show(metrics, pool));
    }

    private static void show(MeterRegistry metrics, TemplatePool pool) {
        var template = pool.template().name();
        Gauge.builder("bivouac.warm.ready", pool, shown -> shown.figures().ready())
                .tag(TEMPLATE, template)
                .register(metrics);
        Gauge.builder("bivouac.warm.wanted", pool, shown -> shown.figures().wanted())
                .tag(TEMPLATE, template)
                .register(metrics);
        creates(metrics, pool, "warm");
        creates(metrics, pool, "cold");
    }

    private static void creates(MeterRegistry metrics, TemplatePool pool, String start) {
        FunctionCounter.builder("bivouac.warm.creates", pool, shown -> {
                    var figures = shown.figures();
                    return start.equals("warm") ? figures.warmCreates() : figures.coldCreates();
                })
                .tag(TEMPLATE, pool.template().name())
                .tag("start", start)
                .register(metrics);
    }
}
