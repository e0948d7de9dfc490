package io.bivouac.sandboxio.command;

import io.bivouac.agentlink.AgentConnections;
import io.bivouac.sandboxio.command.CommandOrder.Reading;
import io.bivouac.sandboxio.command.Program.Argv;
import io.bivouac.sandboxmodel.SandboxId;
import io.bivouac.sandboxmodel.error.BivouacException;
import io.bivouac.sandboxmodel.runtime.AgentLink;
import io.bivouac.sandboxmodel.runtime.ExecOptions;
import io.bivouac.sandboxmodel.runtime.ExecResult;
import io.bivouac.sandboxmodel.runtime.RuntimeFailure;
import jakarta.inject.Singleton;
import java.util.List;

/** Runs a runtime's commands through the agent. Thread-safe. */
@Singleton
class AgentExec implements AgentLink {
    /** Nobody's share: the server's own commands. */
    private static final String NO_PROJECT = "";

    private final AgentConnections connections;
    private final Commands commands;

    AgentExec(AgentConnections connections, Commands commands) {
        this.connections = connections;
        this.commands = commands;
    }

    @Override
    public ExecResult exec(SandboxId id, List<String> argv, ExecOptions options) {
        var order = new CommandOrder(
                CommandId.next(),
                new Program(new Argv(argv), options.envs(), options.workingFolder(), options.user()),
                "",
                Reading.IN_ONE_PIECE,
                options.timeout(),
                ExecOptions.LARGEST_OUTPUT);
        try {
            try (var result =
                    commands.collect(connections.get(id), NO_PROJECT, order).block()) {
                if (result.timedOut()) {
                    throw new RuntimeFailure(
                            "The command took longer than " + options.timeout().toMillis() + " ms.");
                }
                return new ExecResult(result.exitCode(), text(result.stdout()), text(result.stderr()));
            }
        } catch (BivouacException failed) {
            throw new RuntimeFailure(failed.getMessage(), failed);
        }
    }

    private static String text(CollectedBytes output) {
        return output.text(ExecOptions.LARGEST_OUTPUT);
    }

    @Override
    public boolean isConnected(SandboxId id) {
        return connections.find(id).isPresent();
    }
}
