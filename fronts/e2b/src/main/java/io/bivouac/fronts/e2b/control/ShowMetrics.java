package io.bivouac.fronts.e2b.control;

import io.bivouac.foundation.access.Caller;
import io.bivouac.fronts.e2b.E2bIsOn;
import io.bivouac.sandboxes.lifecycle.Sandboxes;
import io.bivouac.sandboxmodel.SandboxId;
import io.bivouac.sandboxmodel.SandboxState;
import io.bivouac.sandboxmodel.runtime.SandboxRuntime;
import io.bivouac.sandboxmodel.runtime.Usage;
import io.micronaut.context.annotation.Requires;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import io.micronaut.serde.annotation.Serdeable;
import java.time.Instant;
import java.util.List;

/** Says what a sandbox uses right now; what it used before is not kept. */
@Controller("/sandboxes/{id}/metrics")
@ExecuteOn(TaskExecutors.BLOCKING)
@Requires(condition = E2bIsOn.class)
class ShowMetrics {
    private static final double PERCENT = 100;

    private final Sandboxes sandboxes;
    private final SandboxRuntime runtime;

    ShowMetrics(Sandboxes sandboxes, SandboxRuntime runtime) {
        this.sandboxes = sandboxes;
        this.runtime = runtime;
    }

    /** In bytes. */
    @Serdeable
    record Metrics(
            Instant timestamp,
            long timestampUnix,
            int cpuCount,
            double cpuUsedPct,
            long memUsed,
            long memTotal,
            long memCache,
            long diskUsed,
            long diskTotal) {
        static Metrics of(Usage usage, Instant now) {
            return new Metrics(
                    now,
                    now.getEpochSecond(),
                    (int) Math.max(1, Math.ceil(usage.cpu().limit())),
                    PERCENT * usage.cpu().usage() / Math.max(1, usage.cpu().limit()),
                    usage.memory().usage(),
                    usage.memory().limit(),
                    0,
                    usage.disk().usage(),
                    usage.disk().limit());
        }
    }

    /** None of a sandbox that does not run. */
    @Get
    List<Metrics> show(SandboxId id, Caller caller) {
        return sandboxes.get(id, caller).state() == SandboxState.RUNNING
                ? List.of(Metrics.of(runtime.stats(id), Instant.now()))
                : List.of();
    }
}
