package io.bivouac.fronts.opensandbox.execd;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.bivouac.fronts.opensandbox.OpenSandboxIsOn;
import io.bivouac.fronts.opensandbox.Plane;
import io.bivouac.sandboxes.lifecycle.Sandboxes;
import io.bivouac.sandboxmodel.SandboxId;
import io.bivouac.sandboxmodel.SandboxState;
import io.bivouac.sandboxmodel.error.BivouacException;
import io.bivouac.sandboxmodel.error.ErrorCode;
import io.bivouac.sandboxmodel.runtime.SandboxRuntime;
import io.micronaut.context.annotation.Requires;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import io.micronaut.serde.annotation.Serdeable;

/** Says whether a sandbox can be worked with, and what it uses. */
@Controller(Plane.EXECD)
@ExecuteOn(TaskExecutors.BLOCKING)
@Requires(condition = OpenSandboxIsOn.class)
class ShowUsage {
    private static final double MEBIBYTE = 1024.0 * 1024;
    private static final double PERCENT = 100;

    private final Insiders insiders;
    private final Sandboxes sandboxes;
    private final SandboxRuntime runtime;

    ShowUsage(Insiders insiders, Sandboxes sandboxes, SandboxRuntime runtime) {
        this.insiders = insiders;
        this.sandboxes = sandboxes;
        this.runtime = runtime;
    }

    /** @param timestamp in milliseconds */
    @Serdeable
    record UsageView(
            @JsonProperty("cpu_count") double cpuCount,
            @JsonProperty("cpu_used_pct") double cpuUsed,
            @JsonProperty("mem_total_mib") double memoryTotal,
            @JsonProperty("mem_used_mib") double memoryUsed,
            long timestamp) {}

    @Get("/ping")
    HttpResponse<Void> ping(SandboxId id, HttpRequest<?> http) {
        mustRun(id, http);
        return HttpResponse.ok();
    }

    @Get("/metrics")
    UsageView usage(SandboxId id, HttpRequest<?> http) {
        mustRun(id, http);
        var usage = runtime.stats(id);
        return new UsageView(
                usage.cpu().limit(),
                PERCENT * usage.cpu().usage() / usage.cpu().limit(),
                usage.memory().limit() / MEBIBYTE,
                usage.memory().usage() / MEBIBYTE,
                System.currentTimeMillis());
    }

    private void mustRun(SandboxId id, HttpRequest<?> http) {
        var sandbox = sandboxes.get(id, insiders.caller(id, http));
        if (sandbox.state() != SandboxState.RUNNING) {
            throw new BivouacException(
                    ErrorCode.SANDBOX_NOT_RUNNING,
                    "Sandbox " + id + " is " + sandbox.state().wireName() + ".");
        }
    }
}
