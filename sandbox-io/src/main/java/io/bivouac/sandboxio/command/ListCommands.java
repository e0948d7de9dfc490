package io.bivouac.sandboxio.command;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.bivouac.foundation.access.Caller;
import io.bivouac.http.Listing;
import io.bivouac.http.Refuses;
import io.bivouac.sandboxmodel.error.ErrorCode;
import io.micronaut.core.annotation.Nullable;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import io.micronaut.serde.annotation.Serdeable;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.time.Instant;

/** The commands that run in a sandbox, and those that ended a short while ago. */
@Tag(name = "processes")
@Controller("/api/v1/sandboxes/{id}/process")
class ListCommands {
    private final Commands commands;

    ListCommands(Commands commands) {
        this.commands = commands;
    }

    /** An exit code is there once it has ended. */
    @Serdeable
    @JsonInclude(JsonInclude.Include.ALWAYS)
    record Command(
            String commandId,
            String command,
            int pid,
            boolean background,
            boolean running,

            @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Integer exitCode,

            Instant startedAt,
            long stdoutBytes,
            long stderrBytes) {
        static Command of(CommandStatus status) {
            return new Command(
                    status.commandId(),
                    status.command(),
                    status.pid(),
                    status.background(),
                    status.isRunning(),
                    status.exitCode(),
                    status.startedAt(),
                    status.stdoutBytes(),
                    status.stderrBytes());
        }
    }

    @Get
    @ExecuteOn(TaskExecutors.BLOCKING)
    @Refuses(ErrorCode.SANDBOX_NOT_RUNNING)
    @Operation(operationId = "listCommands", summary = "List a sandbox's commands")
    Listing<Command> list(String id, @Parameter(hidden = true) Caller caller) {
        return new Listing<>(commands.list(id, caller).stream().map(Command::of).toList(), null);
    }
}
