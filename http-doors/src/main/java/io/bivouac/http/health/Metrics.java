package io.bivouac.http.health;

import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.micronaut.http.MediaType;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.security.SecurityRequirements;
import io.swagger.v3.oas.annotations.tags.Tag;

/** Gives the metrics as Prometheus reads them. */
@Tag(name = "system")
@SecurityRequirements
@Controller("/metrics")
@ExecuteOn(TaskExecutors.BLOCKING)
class Metrics {
    private final PrometheusMeterRegistry registry;

    Metrics(PrometheusMeterRegistry registry) {
        this.registry = registry;
    }

    @Get(produces = MediaType.TEXT_PLAIN)
    @Operation(operationId = "getMetrics", summary = "Gives the metrics as Prometheus reads them")
    String metrics() {
        return registry.scrape();
    }
}
