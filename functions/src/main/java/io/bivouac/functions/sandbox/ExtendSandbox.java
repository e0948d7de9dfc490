package io.bivouac.functions.sandbox;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import io.bivouac.foundation.access.Caller;
import io.bivouac.sandboxes.lifecycle.Sandboxes;
import io.bivouac.sandboxmodel.SandboxId;
import io.bivouac.sandboxmodel.error.BivouacException;
import io.bivouac.sandboxmodel.error.ErrorCode;
import io.bivouac.sandboxmodel.transition.Happening.ExtensionRequested;
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
    static final Duration LONGEST_EXTENSION = Duration.ofHours(1);

    private final Sandboxes sandboxes;
    private final ShownPorts ports;

    ExtendSandbox(Sandboxes sandboxes, ShownPorts ports) {
        this.sandboxes = sandboxes;
        this.ports = ports;
    }

    @Serdeable
    @JsonIgnoreProperties(ignoreUnknown = false)
    record Extension(@Nullable Long seconds) {
        Duration duration() {
            if (seconds == null || seconds < 1 || seconds > LONGEST_EXTENSION.toSeconds()) {
                throw new BivouacException(
                        ErrorCode.INVALID_REQUEST,
                        "seconds must be between 1 and " + LONGEST_EXTENSION.toSeconds() + ".");
            }
            return Duration.ofSeconds(seconds);
        }
    }

    @Post("/{id}/extend")
    @Operation(operationId = "extendSandbox", summary = "Gives a sandbox more time")
    SandboxView extend(
            @Parameter(schema = @Schema(type = "string")) SandboxId id,
            @Body Extension request,
            @Parameter(hidden = true) Caller caller) {
        return ports.on(SandboxView.of(sandboxes.change(id, caller, new ExtensionRequested(request.duration()))));
    }
}
