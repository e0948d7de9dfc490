package io.bivouac.sandboxio.command;

import com.google.protobuf.ByteString;
import io.bivouac.agent.v1.Argv;
import io.bivouac.agent.v1.Run;
import io.bivouac.agentlink.AgentConnections;
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
    private final AgentConnections connections;
    private final Commands commands;
    private final ProcessSettings settings;

    AgentExec(AgentConnections connections, Commands commands, ProcessSettings settings) {
        this.connections = connections;
        this.commands = commands;
        this.settings = settings;
    }

    @Override
    public ExecResult exec(SandboxId id, List<String> argv, ExecOptions options) {
        var run = Run.newBuilder()
                .setCommandId(CommandId.next())
                .setArgv(Argv.newBuilder().addAllWords(argv))
                .putAllEnv(options.envs())
                .setTimeoutMillis(options.timeout().toMillis())
                .setMaxOutputBytes(ExecOptions.LARGEST_OUTPUT)
                .setLingerMillis(settings.getLinger().toMillis());
        if (options.workingFolder() != null) {
            run.setCwd(options.workingFolder());
        }
        if (options.user() != null) {
            run.setUser(options.user());
        }
        try {
            var order = new CommandOrder(run.getCommandId(), run, ByteString.EMPTY);
            try (var result = commands.collect(connections.get(id), order).block()) {
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
