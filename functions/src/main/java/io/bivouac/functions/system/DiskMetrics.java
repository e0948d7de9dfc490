package io.bivouac.functions.system;

import io.bivouac.sandboxmodel.runtime.DiskReserve;
import io.bivouac.sandboxmodel.runtime.SandboxRuntime;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micronaut.configuration.metrics.annotation.RequiresMetrics;
import io.micronaut.context.annotation.Context;
import java.util.function.ToDoubleFunction;

/** Shows the free space of the disk that sandboxes are on; zeros where the runtime does not look after it. */
@Context
@RequiresMetrics
class DiskMetrics {
    DiskMetrics(MeterRegistry registry, SandboxRuntime runtime) {
        gauge(registry, runtime, "bivouac.disk.total.bytes", DiskReserve::totalBytes);
        gauge(registry, runtime, "bivouac.disk.free.bytes", DiskReserve::freeBytes);
        gauge(registry, runtime, "bivouac.disk.reserve.bytes", DiskReserve::reservedBytes);
        gauge(registry, runtime, "bivouac.disk.reserve.reached", reserve -> reserve.reached() ? 1 : 0);
    }

    private static void gauge(
            MeterRegistry registry, SandboxRuntime runtime, String name, ToDoubleFunction<DiskReserve> value) {
        Gauge.builder(name, runtime, source -> value.applyAsDouble(source.diskReserve()))
                .register(registry);
    }
}
