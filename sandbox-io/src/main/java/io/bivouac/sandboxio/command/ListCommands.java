package io.bivouac.sandboxio.command;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.bivouac.agent.v1.CommandInfo;
import io.bivouac.agentlink.SandboxAccess;
import io.bivouac.foundation.access.Caller;
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
import java.util.List;

/** The commands that run in a sandbox, and those that ended a short while ago. */
@Tag(name = "processes")
@Controller("/api/v1/sandboxes/{id}/process")
class ListCommands {
    private final SandboxAccess access;

    ListCommands(SandboxAccess access) {
        this.access = access;
    }

    @Serdeable
    @JsonInclude(JsonInclude.Include.ALWAYS)
    record Commands(List<Command> items, @Nullable String nextCursor) {}

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
        static Command of(CommandInfo info) {
            return new Command(
                    info.getCommandId(),
                    info.getCommand(),
                    info.getPid(),
                    info.getBackground(),
                    info.getRunning(),
                    info.getRunning() ? null : info.getExitCode(),
                    Instant.ofEpochMilli(info.getStartedUnixMillis()),
                    info.getStdoutBytes(),
                    info.getStderrBytes());
        }
    }

    @Get
    @ExecuteOn(TaskExecutors.BLOCKING)
    @Operation(operationId = "listCommands", summary = "List a sandbox's commands")
    Commands list(String id, @Parameter(hidden = true) Caller caller) {
        var commands = access.agent(id, caller).commands();
        return new Commands(commands.stream().map(Command::of).toList(), null);
    }
}
