package io.bivouac.sandboxio.command;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import io.bivouac.foundation.access.Caller;
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

/** Sends a signal to a command and all that it has started. */
@Tag(name = "processes")
@Controller("/api/v1/sandboxes/{id}/process")
class KillCommand {
    private static final int TERM = 15;

    private final Commands commands;

    KillCommand(Commands commands) {
        this.commands = commands;
    }

    /** TERM unless it says otherwise. */
    @Serdeable
    @JsonIgnoreProperties(ignoreUnknown = false)
    record Request(
            @Schema(minimum = "1", maximum = "31") @Nullable Integer signal) {}

    @Serdeable
    @JsonInclude(JsonInclude.Include.ALWAYS)
    record Killed(String commandId, int signal) {}

    @Post("/{commandId}/kill")
    @ExecuteOn(TaskExecutors.BLOCKING)
    @Operation(operationId = "killCommand", summary = "Send a signal to a command")
    Killed kill(String id, String commandId, @Nullable @Body Request request, @Parameter(hidden = true) Caller caller) {
        int signal = request == null || request.signal() == null ? TERM : request.signal();
        commands.kill(id, caller, commandId, signal);
        return new Killed(commandId, signal);
    }
}
