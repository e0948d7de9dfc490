package io.bivouac.agentlink;

import com.google.protobuf.ByteString;
import io.bivouac.agent.v1.AgentMessage;
import io.bivouac.agent.v1.Attach;
import io.bivouac.agent.v1.CommandInfo;
import io.bivouac.agent.v1.Heartbeat;
import io.bivouac.agent.v1.Kill;
import io.bivouac.agent.v1.ListCommands;
import io.bivouac.agent.v1.PermissionAnswered;
import io.bivouac.agent.v1.RelayMessage;
import io.bivouac.agent.v1.RequestResult;
import io.bivouac.agent.v1.Run;
import io.bivouac.sandboxmodel.SandboxId;
import io.bivouac.sandboxmodel.error.BivouacException;
import io.bivouac.sandboxmodel.error.ErrorCode;
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
    private static final String BROKE = "The connection to the sandbox's agent broke.";

    private final SandboxId sandbox;
    private final String version;
    private final ControlStream control;
    private final Questions questions = new Questions();
    private final AtomicLong nextReader = new AtomicLong();
    private final Map<String, CommandStream> awaited = new ConcurrentHashMap<>();
    private final Set<CommandStream> streams = ConcurrentHashMap.newKeySet();
    private final PortStreams ports;
    private final Set<UnopenedCall> unopened = ConcurrentHashMap.newKeySet();
    private volatile long epoch;
    private volatile byte[] secretsKey = {};
    private volatile long heardAt = System.nanoTime();
    private final Resumption resumption;
    private final MessageBudget unasked =
            new MessageBudget(Bounds.UNASKED_AT_ONCE, Bounds.UNASKED_PER_SECOND, System.nanoTime());
    private final PermissionQueue permissions;
    private volatile boolean broken;
    private volatile boolean misbehaving;
    private volatile @Nullable AgentUsage usage;

    AgentConnection(
            SandboxId sandbox,
            String version,
            ControlStream control,
            Resumption resumption,
            PermissionListener permissions) {
        this.sandbox = sandbox;
        this.version = version;
        this.control = control;
        this.ports = new PortStreams(this, control);
        this.resumption = resumption;
        this.permissions = new PermissionQueue(this, permissions);
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
        // What was sent of an input before a break is not known.
        boolean resumable = input.isEmpty();
        var stream = expect(run.getCommandId(), new ExpectedOutput(0, 0), input, listener, resumable);
        run.setReaderId(stream.readerId()).setStdin(!input.isEmpty());
        order(stream, RelayMessage.newBuilder().setRun(run).build());
        return stream;
    }

    @Override
    public CommandStream start(Run.Builder run, TerminalListener listener) {
        var stream = expect(run.getCommandId(), new ExpectedOutput(0, 0), ByteString.EMPTY, listener, false);
        run.setReaderId(stream.readerId());
        order(stream, RelayMessage.newBuilder().setRun(run).build());
        return stream;
    }

    @Override
    public CommandStream attach(Attach.Builder attach, CommandListener listener) {
        // A terminal's viewers come back by their own rules.
        boolean resumable = !(listener instanceof TerminalListener);
        var stream = expect(attach.getCommandId(), ExpectedOutput.of(attach), ByteString.EMPTY, listener, resumable);
        attach.setReaderId(stream.readerId());
        order(stream, RelayMessage.newBuilder().setAttach(attach).build());
        return stream;
    }

    /** Connects to a port on the sandbox's loopback address. */
    public CarriedStream openPort(int port) {
        return ports.open(port);
    }

    PortStreams ports() {
        return ports;
    }

    @Override
    public RequestResult kill(String commandId, int signal, Duration killAfter) {
        return questions
                .ask(id -> control.send(RelayMessage.newBuilder()
                        .setKill(Kill.newBuilder()
                                .setRequestId(id)
                                .setCommandId(commandId)
                                .setSignal(signal)
                                .setKillAfterMillis(killAfter.toMillis()))
                        .build()))
                .getRequestResult();
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

    /** Answers a program that asked for permission; refuses when the agent takes no orders right now. */
    public void answer(PermissionAnswered answer) {
        control.send(RelayMessage.newBuilder().setPermissionAnswered(answer).build());
    }

    /** Whether the agent answers within this time. */
    boolean answersWithin(Duration time) {
        return !broken && questions.ping(control, time);
    }

    private CommandStream expect(
            String commandId, ExpectedOutput expected, ByteString input, CommandListener listener, boolean resumable) {
        if (streams.size() >= Bounds.READERS) {
            throw new BivouacException(
                    ErrorCode.COMMAND_LIMIT_EXCEEDED,
                    "Sandbox " + sandbox + " has " + Bounds.READERS + " commands being read, which is the limit.");
        }
        var readerId = Long.toString(nextReader.incrementAndGet());
        var reader = CommandStream.Reader.at(this, readerId, commandId);
        var stream = new CommandStream(reader, expected, input, listener, resumable ? resumption : null);
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
            stream.interrupted(null, BROKE);
        }
    }

    /** Goes on with a reader whose connection broke. False when that cannot be tried now. */
    boolean readOn(CommandStream stream) {
        if (broken || streams.size() >= Bounds.READERS) {
            return false;
        }
        var nextReaderId = Long.toString(nextReader.incrementAndGet());
        var attach = stream.moveTo(this, nextReaderId);
        if (attach == null) {
            return true;
        }
        streams.add(stream);
        awaited.put(nextReaderId, stream);
        try {
            order(stream, RelayMessage.newBuilder().setAttach(attach).build());
        } catch (BivouacException notSent) {
            stream.interrupted(null, BROKE);
        }
        return true;
    }

    @Nullable CommandStream claim(String readerId) {
        return awaited.remove(readerId);
    }

    int readers() {
        return streams.size();
    }

    void forget(CommandStream stream) {
        streams.remove(stream);
        awaited.remove(stream.readerId(), stream);
    }

    /** False when no agent of ours would have so many calls that serve nobody. */
    boolean arrived(UnopenedCall call) {
        unopened.add(call);
        return unopened.size() <= awaited.size() + ports.awaited() + Bounds.UNOPENED_CALLS;
    }

    void opened(UnopenedCall call) {
        unopened.remove(call);
    }

    /** False when no agent of ours would say this. */
    boolean hear(AgentMessage message) {
        heardAt = System.nanoTime();
        return switch (message.getMessageCase()) {
            case HEARTBEAT -> unasked.take(heardAt) && heartbeat(message.getHeartbeat());
            case PONG -> answer(message.getPong().getNonce(), message);
            case COMMAND_LIST -> answer(message.getCommandList().getRequestId(), message);
            case REQUEST_RESULT -> answer(message.getRequestResult().getRequestId(), message);
            case PERMISSION_ASKED -> permissions.ask(message.getPermissionAsked(), unasked, heardAt);
            case PERMISSION_WITHDRAWN ->
                permissions.withdraw(message.getPermissionWithdrawn().getQuestionId(), unasked, heardAt);
            case REGISTER, MESSAGE_NOT_SET -> false;
        };
    }

    /** An answer that comes too late finds nobody waiting, which is no fault unless it happens all the time. */
    private boolean answer(long id, AgentMessage message) {
        return questions.answer(id, message) || (questions.wasAsked(id) && unasked.take(heardAt));
    }

    private boolean heartbeat(Heartbeat heartbeat) {
        usage = AgentUsage.of(heartbeat.getUsage(), Instant.now());
        return true;
    }

    /** Whether it has broken the rules: nobody goes on with it. */
    boolean isMisbehaving() {
        return misbehaving;
    }

    void violated(String rule) {
        misbehaving = true;
        control.violated(rule);
    }

    /** Nothing comes over it any more. */
    void broke(String why) {
        broken = true;
        control.ended(this, why);
        questions.giveUp();
        ports.broke();
        streams.forEach(stream -> stream.interrupted(null, BROKE));
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

    @Override
    public byte[] secretsKey() {
        return secretsKey.clone();
    }

    void secretsKey(byte[] key) {
        secretsKey = key;
    }

    long epoch() {
        return epoch;
    }

    void epoch(long number) {
        epoch = number;
    }
}
