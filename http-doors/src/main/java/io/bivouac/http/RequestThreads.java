package io.bivouac.http;

import io.bivouac.foundation.share.ShareMetrics;
import io.bivouac.foundation.share.Shares;
import io.micrometer.core.instrument.MeterRegistry;
import io.micronaut.context.BeanProvider;
import io.micronaut.context.event.BeanCreatedEvent;
import io.micronaut.context.event.BeanCreatedEventListener;
import io.micronaut.core.order.Ordered;
import io.micronaut.scheduling.TaskExecutors;
import jakarta.inject.Singleton;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ThreadPoolExecutor;

/**
 * Bounds the threads that functions run on. They are threads of the operating system, since a function is a row of
 * questions to the database: on a virtual thread each answer takes two more hand-overs between threads, which made
 * a create half as slow again.
 */
@Singleton
class RequestThreads implements BeanCreatedEventListener<ExecutorService>, Ordered {
    private final RequestSettings settings;
    private final BeanProvider<MeterRegistry> metrics;

    RequestThreads(RequestSettings settings, BeanProvider<MeterRegistry> metrics) {
        this.settings = settings;
        this.metrics = metrics;
    }

    /** Before the metrics wrap the pool. */
    @Override
    public int getOrder() {
        return HIGHEST_PRECEDENCE;
    }

    @Override
    public ExecutorService onCreated(BeanCreatedEvent<ExecutorService> event) {
        var executor = event.getBean();
        if (!TaskExecutors.BLOCKING.equals(event.getBeanIdentifier().getName())) {
            return executor;
        }
        if (!(executor instanceof ThreadPoolExecutor threads)) {
            throw new IllegalStateException("the threads of requests are no pool but " + executor.getClass());
        }
        var places = new Shares("requests under way", settings.bounds());
        metrics.ifPresent(registry -> ShareMetrics.show(registry, "requests", places));
        threads.shutdown();
        return new SharedThreads(places, threads.getThreadFactory());
    }
}
