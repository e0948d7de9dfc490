package io.bivouac.functions.system;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.bivouac.foundation.access.Caller;
import io.bivouac.foundation.outbox.Outbox;
import io.bivouac.sandboxes.store.SandboxStore;
import io.bivouac.sandboxes.store.StateCount;
import io.bivouac.sandboxes.warm.WarmFigures;
import io.bivouac.sandboxes.warm.WarmPool;
import io.bivouac.sandboxmodel.runtime.Capabilities;
import io.bivouac.sandboxmodel.runtime.DiskReserve;
import io.bivouac.sandboxmodel.runtime.Installation;
import io.bivouac.sandboxmodel.runtime.SandboxRuntime;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import io.micronaut.serde.annotation.Serdeable;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Shows how the whole installation is doing, to its administrator. */
@Tag(name = "system")
@Controller("/api/v1/stats")
@ExecuteOn(TaskExecutors.BLOCKING)
class SystemStats {
    private final SandboxStore store;
    private final Outbox outbox;
    private final SandboxRuntime runtime;
    private final Installation installation;
    private final WarmPool warm;

    SystemStats(SandboxStore store, Outbox outbox, SandboxRuntime runtime, Installation installation, WarmPool warm) {
        this.warm = warm;
        this.store = store;
        this.outbox = outbox;
        this.runtime = runtime;
        this.installation = installation;
    }

    @Serdeable
    @JsonInclude(JsonInclude.Include.ALWAYS)
    record Figures(
            String installation,
            String host,
            Map<String, Long> sandboxes,
            RuntimeFigures runtime,
            OutboxFigures outbox,
            DiskFigures disk,
            List<WarmPoolFigures> warm,
            ServerFigures server) {}

    @Serdeable
    @JsonInclude(JsonInclude.Include.ALWAYS)
    record RuntimeFigures(
            String name,
            boolean users,
            boolean memoryLimit,
            boolean pidsLimit,
            boolean cpuLimit,
            boolean diskLimit,
            List<String> notes) {}

    @Serdeable
    record OutboxFigures(long unpublished, double lagSeconds) {}

    /** Of the file system that sandboxes are on; zeros where the runtime does not look after it. */
    @Serdeable
    record DiskFigures(long totalBytes, long freeBytes, long reservedBytes, boolean reserveReached) {
        static DiskFigures of(DiskReserve reserve) {
            return new DiskFigures(
                    reserve.totalBytes(), reserve.freeBytes(), reserve.reservedBytes(), reserve.reached());
        }
    }

    /** Sandboxes of a template that were started ahead, and the creates that took one or did not. */
    @Serdeable
    record WarmPoolFigures(String template, int ready, int wanted, long warmCreates, long coldCreates) {
        static WarmPoolFigures of(WarmFigures pool) {
            return new WarmPoolFigures(
                    pool.template(), pool.ready(), pool.wanted(), pool.warmCreates(), pool.coldCreates());
        }
    }

    @Serdeable
    record ServerFigures(double uptimeSeconds, long heapBytes, int processors) {}

    @Get
    @Operation(
            operationId = "getSystemStats",
            summary = "Shows how the whole installation is doing, to its administrator")
    Figures stats(@Parameter(hidden = true) Caller caller) {
        caller.mustBeSystem();
        var byState = store.countByState().stream().collect(Collectors.toMap(StateCount::state, StateCount::sandboxes));
        return new Figures(
                installation.id(),
                installation.host(),
                byState,
                runtimeFigures(runtime.capabilities()),
                new OutboxFigures(outbox.unpublished(), outbox.lag(store.now()).toMillis() / 1e3),
                DiskFigures.of(runtime.diskReserve()),
                warm.figures().stream().map(WarmPoolFigures::of).toList(),
                serverFigures());
    }

    private RuntimeFigures runtimeFigures(Capabilities can) {
        return new RuntimeFigures(
                runtime.name(),
                can.users(),
                can.memoryLimit(),
                can.pidsLimit(),
                can.cpuLimit(),
                can.diskLimit(),
                can.notes());
    }

    private static ServerFigures serverFigures() {
        return new ServerFigures(
                ManagementFactory.getRuntimeMXBean().getUptime() / 1e3,
                ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed(),
                Runtime.getRuntime().availableProcessors());
    }
}
