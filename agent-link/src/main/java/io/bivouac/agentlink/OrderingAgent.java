package io.bivouac.agentlink;

import com.google.protobuf.ByteString;
import com.google.protobuf.MessageLite;
import io.bivouac.agent.v1.AgentMessage;
import io.bivouac.agent.v1.Attach;
import io.bivouac.agent.v1.CodeOrder;
import io.bivouac.agent.v1.CommandInfo;
import io.bivouac.agent.v1.FileOrder;
import io.bivouac.agent.v1.Kill;
import io.bivouac.agent.v1.ListCommands;
import io.bivouac.agent.v1.ListPorts;
import io.bivouac.agent.v1.ListeningPort;
import io.bivouac.agent.v1.OpenPort;
import io.bivouac.agent.v1.RelayMessage;
import io.bivouac.agent.v1.RequestResult;
import io.bivouac.agent.v1.Run;
import io.micronaut.core.annotation.Nullable;
import java.time.Duration;
import java.util.List;

/**
 * What can be asked of an agent, in terms of orders and questions. How these reach the agent is up to the two
 * implementations: one for an agent that is connected here, one for an agent at another relay.
 */
abstract class OrderingAgent implements Agent {
    private static final int LARGEST_PORT = 65_535;

    /** An id that no other call of this agent has. */
    abstract String nextCallId();

    /** Gives the order; the stream hears of the call that answers it. */
    abstract <U extends MessageLite, D extends MessageLite> void order(
            CallKind<U, D> kind, OrderedStream<U, D> stream, RelayMessage order);

    abstract <U extends MessageLite, D extends MessageLite> void forget(
            CallKind<U, D> kind, OrderedStream<U, D> stream);

    /** Waits for the answer; gives the question its number. */
    abstract AgentMessage ask(RelayMessage question);

    /** Null when the reader is of no connection here. */
    abstract @Nullable AgentConnection connection();

    /** Null when readers are not resumed from here. */
    abstract @Nullable Resumption resumption();

    @Override
    public final CommandStream run(Run.Builder run, ByteString input, CommandListener listener) {
        // What was sent of an input before a break is not known.
        boolean resumable = input.isEmpty();
        var stream = reader(run.getCommandId(), new ExpectedOutput(0, 0), input, listener, resumable);
        run.setReaderId(stream.callId()).setStdin(!input.isEmpty());
        order(CallKind.PROCESS, stream, RelayMessage.newBuilder().setRun(run).build());
        return stream;
    }

    @Override
    public final CommandStream start(Run.Builder run, CommandListener listener) {
        var stream = reader(run.getCommandId(), new ExpectedOutput(0, 0), ByteString.EMPTY, listener, false);
        run.setReaderId(stream.callId());
        order(CallKind.PROCESS, stream, RelayMessage.newBuilder().setRun(run).build());
        return stream;
    }

    @Override
    public final CommandStream attach(Attach.Builder attach, CommandListener listener) {
        var expected = ExpectedOutput.of(attach);
        var stream = reader(attach.getCommandId(), expected, ByteString.EMPTY, listener, listener.readsOn());
        attach.setReaderId(stream.callId());
        order(
                CallKind.PROCESS,
                stream,
                RelayMessage.newBuilder().setAttach(attach).build());
        return stream;
    }

    private CommandStream reader(
            String commandId, ExpectedOutput expected, ByteString input, CommandListener listener, boolean resumable) {
        var reader = new CommandStream.Reader(this, nextCallId(), commandId);
        return new CommandStream(reader, expected, input, listener, resumable ? resumption() : null);
    }

    @Override
    public final CarriedStream openPort(int port) {
        var stream = new CarriedStream(nextCallId(), over -> forget(CallKind.PORT, over));
        order(CallKind.PORT, stream, opening(stream.callId(), port));
        return stream;
    }

    @Override
    public final FileStream files(FileOrder.Builder order, FileListener listener) {
        var stream = new FileStream(nextCallId(), listener, over -> forget(CallKind.FILE, over));
        order.setCallId(stream.callId());
        order(
                CallKind.FILE,
                stream,
                RelayMessage.newBuilder().setFileOrder(order).build());
        return stream;
    }

    @Override
    public final CodeStream code(CodeOrder.Builder order, CodeListener listener) {
        var stream = new CodeStream(nextCallId(), listener, over -> forget(CallKind.CODE, over));
        order.setCallId(stream.callId());
        order(
                CallKind.CODE,
                stream,
                RelayMessage.newBuilder().setCodeOrder(order).build());
        return stream;
    }

    @Override
    public final PortStream openPort(int port, PortStream.Listener listener) {
        var stream = new PortStream(nextCallId(), listener, over -> forget(CallKind.PORT, over));
        order(CallKind.PORT, stream, opening(stream.callId(), port));
        return stream;
    }

    private static RelayMessage opening(String callId, int port) {
        var order = OpenPort.newBuilder().setConnectionId(callId).setPort(port);
        return RelayMessage.newBuilder().setOpenPort(order).build();
    }

    @Override
    public final RequestResult kill(String commandId, int signal, Duration killAfter) {
        return ask(RelayMessage.newBuilder()
                        .setKill(Kill.newBuilder()
                                .setCommandId(commandId)
                                .setSignal(signal)
                                .setKillAfterMillis(killAfter.toMillis()))
                        .build())
                .getRequestResult();
    }

    @Override
    public final List<ListeningPort> ports() {
        var answer = ask(RelayMessage.newBuilder()
                .setListPorts(ListPorts.getDefaultInstance())
                .build());
        return cleaned(answer.getPortList().getPortsList());
    }

    static List<ListeningPort> cleaned(List<ListeningPort> ports) {
        return ports.stream()
                .filter(port -> port.getPort() > 0 && port.getPort() <= LARGEST_PORT)
                .limit(Bounds.LISTED_PORTS)
                .map(port -> port.toBuilder()
                        .setProgram(AgentText.clean(port.getProgram(), Bounds.PROGRAM_TEXT))
                        .build())
                .toList();
    }

    @Override
    public final List<CommandInfo> commands() {
        var answer = ask(RelayMessage.newBuilder()
                .setListCommands(ListCommands.getDefaultInstance())
                .build());
        return answer.getCommandList().getCommandsList().stream()
                .limit(Bounds.LISTED_COMMANDS)
                .map(info -> info.toBuilder()
                        .setCommandId(AgentText.clean(info.getCommandId(), Bounds.COMMAND_TEXT))
                        .setCommand(AgentText.clean(info.getCommand(), Bounds.COMMAND_TEXT))
                        .build())
                .toList();
    }
}
