package io.bivouac.functions.sandbox;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import io.bivouac.foundation.access.Caller;
import io.bivouac.sandboxes.lifecycle.Sandboxes;
import io.bivouac.sandboxmodel.SandboxId;
import io.micronaut.core.annotation.Nullable;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Post;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import io.micronaut.serde.annotation.Serdeable;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.time.Duration;

/** Gives a sandbox more time. */
@Tag(name = "sandboxes")
@Controller("/api/v1/sandboxes")
@ExecuteOn(TaskExecutors.BLOCKING)
class ExtendSandbox {
    private final Sandboxes sandboxes;
    private final ShownAddresses addresses;

    ExtendSandbox(Sandboxes sandboxes, ShownAddresses addresses) {
        this.sandboxes = sandboxes;
        this.addresses = addresses;
    }

    @Serdeable
    @JsonIgnoreProperties(ignoreUnknown = false)
    record Extension(
            @Schema(requiredMode = Schema.RequiredMode.REQUIRED, minimum = "1", maximum = "3600") @Nullable Long seconds) {}

    @Post("/{id}/extend")
    @Operation(operationId = "extendSandbox", summary = "Gives a sandbox more time")
    SandboxView extend(
            @Parameter(schema = @Schema(type = "string")) SandboxId id,
            @Body Extension request,
            @Parameter(hidden = true) Caller caller) {
        var by = Duration.ofSeconds(request.seconds() == null ? 0 : request.seconds());
        return addresses.addedTo(SandboxView.of(sandboxes.extend(id, caller, by)), caller);
    }
}
