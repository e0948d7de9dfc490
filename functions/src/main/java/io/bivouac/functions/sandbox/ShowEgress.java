package io.bivouac.functions.sandbox;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.bivouac.foundation.access.Caller;
import io.bivouac.sandboxes.egress.BlockedHosts;
import io.bivouac.sandboxes.egress.EgressPresets;
import io.bivouac.sandboxes.lifecycle.Sandboxes;
import io.bivouac.sandboxmodel.SandboxId;
import io.bivouac.sandboxmodel.egress.Reach;
import io.micronaut.core.annotation.Nullable;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import io.micronaut.serde.annotation.Serdeable;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.time.Instant;
import java.util.List;

/** Shows what a sandbox may reach, and what it was refused last. */
@Tag(name = "sandboxes")
@Controller("/api/v1/sandboxes")
@ExecuteOn(TaskExecutors.BLOCKING)
class ShowEgress {
    private final Sandboxes sandboxes;
    private final BlockedHosts blocked;
    private final EgressPresets presets;

    ShowEgress(Sandboxes sandboxes, BlockedHosts blocked, EgressPresets presets) {
        this.sandboxes = sandboxes;
        this.blocked = blocked;
        this.presets = presets;
    }

    /**
     * @param ask whether approvers who are there are asked about other hosts
     * @param blocked hosts that were refused and are still closed, the latest first; at most 20
     */
    @Serdeable
    @JsonInclude(JsonInclude.Include.ALWAYS)
    record EgressState(List<String> allow, boolean ask, List<BlockedView> blocked) {}

    /** @param program as it calls itself */
    @Serdeable
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record BlockedView(String host, @Nullable String program, Instant at) {}

    @Get("/{id}/egress")
    @Operation(
            operationId = "getEgress",
            summary = "Shows what a sandbox may reach, and which hosts it was refused last")
    EgressState show(
            @Parameter(schema = @Schema(type = "string")) SandboxId id, @Parameter(hidden = true) Caller caller) {
        var policy = sandboxes.get(id, caller).definition().egress();
        var closed = blocked.of(id).stream()
                .filter(one -> policy.reach(one.target(), presets) == Reach.CLOSED)
                .map(one -> new BlockedView(
                        one.target().toString(), one.program().isEmpty() ? null : one.program(), one.at()))
                .toList();
        return new EgressState(policy.hosts(), policy.ask(), closed);
    }
}
