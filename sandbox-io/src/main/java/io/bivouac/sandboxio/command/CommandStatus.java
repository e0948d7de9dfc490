package io.bivouac.sandboxio.command;

import io.bivouac.agent.v1.CommandInfo;
import io.micronaut.core.annotation.Nullable;
import java.time.Instant;

/**
 * A command that a sandbox's agent knows.
 *
 * @param exitCode null while it runs
 */
public record CommandStatus(
        String commandId,
        String command,
        int pid,
        boolean background,
        @Nullable Integer exitCode,
        Instant startedAt,
        long stdoutBytes,
        long stderrBytes) {
    static CommandStatus of(CommandInfo info) {
        return new CommandStatus(
                info.getCommandId(),
                info.getCommand(),
                info.getPid(),
                info.getBackground(),
                info.getRunning() ? null : (Integer) info.getExitCode(),
                Instant.ofEpochMilli(info.getStartedUnixMillis()),
                info.getStdoutBytes(),
                info.getStderrBytes());
    }

    public boolean isRunning() {
        return exitCode == null;
    }
}
