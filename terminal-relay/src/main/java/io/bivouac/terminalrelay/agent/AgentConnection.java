package io.bivouac.terminalrelay.agent;

import com.google.protobuf.ByteString;
import io.bivouac.agent.v1.AgentMessage;
import io.bivouac.agent.v1.Attach;
import io.bivouac.agent.v1.CommandInfo;
import io.bivouac.agent.v1.Heartbeat;
import io.bivouac.agent.v1.Kill;
import io.bivouac.agent.v1.ListCommands;
import io.bivouac.agent.v1.Refused;
import io.bivouac.agent.v1.RelayMessage;
import io.bivouac.agent.v1.Run;
import io.bivouac.sandboxes.SandboxId;
import io.bivouac.sandboxes.error.BivouacException;
import io.bivouac.sandboxes.error.ErrorCode;
import io.micronaut.core.annotation.Nullable;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/** A registered agent: what can be asked of it, and what it has told. Thread-safe. */
public final class AgentConnection implements Agent {
    private final SandboxId sandbox;
    private final String version;
    private final ControlStream control;
    private final Questions questions = new Questions();
    private final AtomicLong nextReader = new AtomicLong();
    private final Map<String, CommandStream> awaited = new ConcurrentHashMap<>();
    private final Set<CommandStream> streams = ConcurrentHashMap.newKeySet();
    private final Set<ProcessCall> unopened = ConcurrentHashMap.newKeySet();
    private volatile long epoch;
    private volatile long heardAt = System.nanoTime();
    private volatile boolean broken;
    private volatile @Nullable AgentUsage usage;

    AgentConnection(SandboxId sandbox, String version, ControlStream control) {
        this.sandbox = sandbox;
        this.version = version;
        this.control = control;
    }

    @Override
    public SandboxId sandbox() {
        return sandbox;
    }

    public String version() {
        return version;
    }

    /** Empty until its first heartbeat. */
    @Nullable public AgentUsage usage() {
        return usage;
    }

    public boolean isBroken() {
        return broken;
    }

    @Override
    public CommandStream run(Run.Builder run, ByteString input, CommandListener listener) {
        var stream = expect(new ExpectedOutput(0, 0), input, listener);
        run.setReaderId(stream.readerId()).setStdin(!input.isEmpty());
        order(stream, RelayMessage.newBuilder().setRun(run).build());
        return stream;
    }

    @Override
    public CommandStream start(Run.Builder run, TerminalListener listener) {
        var stream = expect(new ExpectedOutput(0, 0), ByteString.EMPTY, listener);
        run.setReaderId(stream.readerId());
        order(stream, RelayMessage.newBuilder().setRun(run).build());
        return stream;
    }

    @Override
    public CommandStream attach(Attach.Builder attach, CommandListener listener) {
        var stream = expect(ExpectedOutput.of(attach), ByteString.EMPTY, listener);
        attach.setReaderId(stream.readerId());
        order(stream, RelayMessage.newBuilder().setAttach(attach).build());
        return stream;
    }

    @Override
    public Refused kill(String commandId, int signal, Duration killAfter) {
        return questions
                .ask(id -> control.send(RelayMessage.newBuilder()
                        .setKill(Kill.newBuilder()
                                .setRequestId(id)
                                .setCommandId(commandId)
                                .setSignal(signal)
                                .setKillAfterMillis(killAfter.toMillis()))
                        .build()))
                .getRefused();
    }

    @Override
    public List<CommandInfo> commands() {
        var answer = questions.ask(id -> control.send(RelayMessage.newBuilder()
                .setListCommands(ListCommands.newBuilder().setRequestId(id))
                .build()));
        return answer.getCommandList().getCommandsList().stream()
                .limit(Bounds.LISTED_COMMANDS)
                .map(info -> info.toBuilder()
                        .setCommandId(AgentText.clean(info.getCommandId(), Bounds.COMMAND_TEXT))
                        .setCommand(AgentText.clean(info.getCommand(), Bounds.COMMAND_TEXT))
                        .build())
                .toList();
    }

    /** Whether the agent answers within this time. */
    boolean answersWithin(Duration time) {
        return !broken && questions.ping(control, time);
    }

    private CommandStream expect(ExpectedOutput expected, ByteString input, CommandListener listener) {
        if (streams.size() >= Bounds.READERS) {
            throw new BivouacException(
                    ErrorCode.COMMAND_LIMIT_EXCEEDED,
                    "Sandbox " + sandbox + " has " + Bounds.READERS + " commands being read, which is the limit.");
        }
        var readerId = Long.toString(nextReader.incrementAndGet());
        var stream = new CommandStream(this::forget, readerId, expected, input, listener);
        streams.add(stream);
        awaited.put(readerId, stream);
        return stream;
    }

    private void order(CommandStream stream, RelayMessage order) {
        try {
            control.send(order);
        } catch (RuntimeException notSent) {
            forget(stream);
            throw notSent;
        }
        if (broken) {
            stream.broke("The connection to the sandbox's agent broke.");
        }
    }

    @Nullable CommandStream claim(String readerId) {
        return awaited.remove(readerId);
    }

    void forget(CommandStream stream) {
        streams.remove(stream);
        awaited.remove(stream.readerId(), stream);
    }

    void arrived(ProcessCall call) {
        unopened.add(call);
    }

    void opened(ProcessCall call) {
        unopened.remove(call);
    }

    /** False when no agent of ours would say this. */
    boolean hear(AgentMessage message) {
        heardAt = System.nanoTime();
        return switch (message.getMessageCase()) {
            case HEARTBEAT -> heartbeat(message.getHeartbeat());
            case PONG -> questions.pong(message.getPong().getNonce());
            case COMMAND_LIST -> questions.answer(message.getCommandList().getRequestId(), message);
            case REFUSED -> questions.answer(message.getRefused().getRequestId(), message);
            case REGISTER, MESSAGE_NOT_SET -> false;
        };
    }

    private boolean heartbeat(Heartbeat heartbeat) {
        usage = AgentUsage.of(heartbeat.getUsage(), Instant.now());
        return true;
    }

    void violated(String rule) {
        control.violated(rule);
    }

    /** Nothing comes over it any more. */
    void broke(String why) {
        broken = true;
        control.ended(this, why);
        questions.giveUp();
        streams.forEach(stream -> stream.broke("The connection to the sandbox's agent broke."));
    }

    void close(io.grpc.Status status) {
        control.close(status);
    }

    void tick(long now) {
        streams.forEach(stream -> stream.tick(now));
        for (var call : unopened) {
            if (call.isOverdue(now) && unopened.remove(call)) {
                call.refuse();
            }
        }
    }

    Duration silentFor(long now) {
        return Duration.ofNanos(now - heardAt);
    }

    long epoch() {
        return epoch;
    }

    void epoch(long number) {
        epoch = number;
    }
}
