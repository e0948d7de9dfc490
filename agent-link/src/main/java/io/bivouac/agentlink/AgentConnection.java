package io.bivouac.agentlink;

import com.google.protobuf.MessageLite;
import io.bivouac.agent.v1.AgentMessage;
import io.bivouac.agent.v1.Heartbeat;
import io.bivouac.agent.v1.PermissionAnswered;
import io.bivouac.agent.v1.PortsListening;
import io.bivouac.agent.v1.RelayMessage;
import io.bivouac.sandboxmodel.SandboxId;
import io.bivouac.sandboxmodel.error.BivouacException;
import io.micronaut.core.annotation.Nullable;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.stream.Collectors;

/** A registered agent: what can be asked of it, and what it has told. Thread-safe. */
public final class AgentConnection extends OrderingAgent {
    static final String BROKE = "The connection to the sandbox's agent broke.";

    private final SandboxId sandbox;
    private final String version;
    private final ControlStream control;
    private final Questions questions = new Questions();
    private final AtomicLong nextCall = new AtomicLong();
    private final Map<CallKind<?, ?>, OrderedCalls<?, ?>> calls;
    private final Set<UnopenedCall> unopened = ConcurrentHashMap.newKeySet();
    private volatile long epoch;
    private volatile String bootId = "";
    private volatile byte[] secretsKey = {};
    private volatile long heardAt = System.nanoTime();
    private final Resumption resumption;
    private final MessageBudget unasked =
            new MessageBudget(Bounds.UNASKED_AT_ONCE, Bounds.UNASKED_PER_SECOND, System.nanoTime());
    private final PermissionQueue permissions;
    private final @Nullable PortsListener ports;
    private volatile boolean broken;
    private volatile boolean misbehaving;
    private volatile @Nullable AgentUsage usage;

    AgentConnection(
            SandboxId sandbox, String version, ControlStream control, Resumption resumption, AgentListeners listeners) {
        this.sandbox = sandbox;
        this.version = version;
        this.control = control;
        this.calls = CallKind.ALL.stream()
                .collect(Collectors.toUnmodifiableMap(Function.identity(), kind -> new OrderedCalls<>(kind, sandbox)));
        this.resumption = resumption;
        this.ports = listeners.ports();
        this.permissions = new PermissionQueue(this, listeners.permissions());
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
    String nextCallId() {
        return Long.toString(nextCall.incrementAndGet());
    }

    @Override
    <U extends MessageLite, D extends MessageLite> void order(
            CallKind<U, D> kind, OrderedStream<U, D> stream, RelayMessage order) {
        calls(kind).add(stream);
        try {
            control.send(order);
        } catch (RuntimeException notSent) {
            forget(kind, stream);
            throw notSent;
        }
        if (broken) {
            stream.interrupted(null, BROKE);
        }
    }

    @Override
    <U extends MessageLite, D extends MessageLite> void forget(CallKind<U, D> kind, OrderedStream<U, D> stream) {
        calls(kind).forget(stream);
    }

    /** Each kind has its own; the map's entries were made that way. */
    @SuppressWarnings("unchecked")
    <U extends MessageLite, D extends MessageLite> OrderedCalls<U, D> calls(CallKind<U, D> kind) {
        return (OrderedCalls<U, D>) calls.get(kind);
    }

    @Override
    AgentMessage ask(RelayMessage question) {
        return questions.ask(question, control);
    }

    @Override
    AgentConnection connection() {
        return this;
    }

    @Override
    Resumption resumption() {
        return resumption;
    }

    /** Answers a program that asked for permission; refuses when the agent takes no orders right now. */
    public void answer(PermissionAnswered answer) {
        control.send(RelayMessage.newBuilder().setPermissionAnswered(answer).build());
    }

    /** Whether the agent answers within this time. */
    boolean answersWithin(Duration time) {
        return !broken && questions.ping(control, time);
    }

    /** Goes on with a reader whose connection broke. False when that cannot be tried now. */
    boolean readOn(CommandStream stream) {
        if (broken || calls(CallKind.PROCESS).isFull()) {
            return false;
        }
        var attach = stream.moveTo(this, nextCallId());
        if (attach == null) {
            return true;
        }
        try {
            order(
                    CallKind.PROCESS,
                    stream,
                    RelayMessage.newBuilder().setAttach(attach).build());
        } catch (BivouacException notSent) {
            stream.interrupted(null, BROKE);
        }
        return true;
    }

    int readers() {
        return calls(CallKind.PROCESS).size();
    }

    /** False when no agent of ours would have so many calls that serve nobody. */
    boolean arrived(UnopenedCall call) {
        unopened.add(call);
        int awaited = calls.values().stream().mapToInt(OrderedCalls::awaited).sum();
        return unopened.size() <= awaited + Bounds.UNOPENED_CALLS;
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
            case PORT_LIST -> answer(message.getPortList().getRequestId(), message);
            case REQUEST_RESULT -> answer(message.getRequestResult().getRequestId(), message);
            case PORTS_LISTENING -> unasked.take(heardAt) && portsListening(message.getPortsListening());
            case PERMISSION_ASKED -> permissions.ask(message.getPermissionAsked(), unasked, heardAt);
            case PERMISSION_WITHDRAWN ->
                permissions.withdraw(message.getPermissionWithdrawn().getQuestionId(), unasked, heardAt);
            case REGISTER, MESSAGE_NOT_SET -> false;
        };
    }

    private boolean portsListening(PortsListening told) {
        if (ports != null) {
            ports.listening(sandbox, bootId, cleaned(told.getPortsList()));
        }
        return true;
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
        calls.values().forEach(ordered -> ordered.interrupted(BROKE));
    }

    void close(io.grpc.Status status) {
        control.close(status);
    }

    void tick(long now) {
        calls.values().forEach(ordered -> ordered.tick(now));
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

    /** Which start of the agent this is. */
    void bootId(String id) {
        bootId = id;
    }

    long epoch() {
        return epoch;
    }

    void epoch(long number) {
        epoch = number;
    }
}
