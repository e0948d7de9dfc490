package io.bivouac.agentlink;

import com.google.protobuf.ByteString;
import io.bivouac.agent.v1.Attach;
import io.bivouac.agent.v1.CommandInfo;
import io.bivouac.agent.v1.Kill;
import io.bivouac.agent.v1.ListCommands;
import io.bivouac.agent.v1.RequestResult;
import io.bivouac.agent.v1.Run;
import io.bivouac.relay.v1.Open;
import io.bivouac.relay.v1.Question;
import io.bivouac.sandboxmodel.SandboxId;
import java.time.Duration;
import java.util.List;

/** An agent that is connected to another relay. Thread-safe. */
final class RemoteAgent implements Agent {
    private final SandboxId sandbox;
    private final RemoteRelay relay;
    private final byte[] secretsKey;

    RemoteAgent(SandboxId sandbox, RemoteRelay relay, byte[] secretsKey) {
        this.sandbox = sandbox;
        this.relay = relay;
        this.secretsKey = secretsKey;
    }

    @Override
    public byte[] secretsKey() {
        return secretsKey.clone();
    }

    @Override
    public SandboxId sandbox() {
        return sandbox;
    }

    @Override
    public CommandStream run(Run.Builder run, ByteString input, CommandListener listener) {
        run.setStdin(!input.isEmpty());
        return relay.reach(open().setRun(run).build(), new ExpectedOutput(0, 0), input, listener);
    }

    @Override
    public CommandStream start(Run.Builder run, TerminalListener listener) {
        return relay.reach(open().setRun(run).build(), new ExpectedOutput(0, 0), ByteString.EMPTY, listener);
    }

    @Override
    public CommandStream attach(Attach.Builder attach, CommandListener listener) {
        return relay.reach(open().setAttach(attach).build(), ExpectedOutput.of(attach), ByteString.EMPTY, listener);
    }

    private Open.Builder open() {
        return Open.newBuilder().setSandboxId(sandbox.value());
    }

    @Override
    public RequestResult kill(String commandId, int signal, Duration killAfter) {
        return relay.ask(question()
                        .setKill(Kill.newBuilder()
                                .setCommandId(commandId)
                                .setSignal(signal)
                                .setKillAfterMillis(killAfter.toMillis()))
                        .build())
                .getRequestResult();
    }

    @Override
    public List<CommandInfo> commands() {
        return relay.ask(question().setList(ListCommands.getDefaultInstance()).build())
                .getList()
                .getCommandsList();
    }

    private Question.Builder question() {
        return Question.newBuilder().setSandboxId(sandbox.value());
    }
}
