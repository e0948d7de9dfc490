package io.bivouac.agentlink;

import com.google.protobuf.MessageLite;
import io.bivouac.agent.v1.AgentMessage;
import io.bivouac.relay.v1.Order;
import io.bivouac.relay.v1.Question;
import io.bivouac.relay.v1.RelayServiceGrpc;
import io.bivouac.relay.v1.Violation;
import io.bivouac.sandboxmodel.error.BivouacException;
import io.bivouac.sandboxmodel.error.ErrorCode;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.MetadataUtils;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** The way to another relay. Thread-safe. */
final class RemoteRelay {
    private static final Duration UNUSED = Duration.ofMinutes(1);

    private final ManagedChannel channel;
    private final RelayServiceGrpc.RelayServiceStub stub;
    private final RelayServiceGrpc.RelayServiceBlockingStub asking;
    private final RelayId self;
    private volatile long usedAt = System.nanoTime();
    private final AtomicLong nextCall = new AtomicLong();
    private final Set<OrderedStream<?, ?>> streams = ConcurrentHashMap.newKeySet();

    RemoteRelay(ManagedChannel channel, String token, RelayId self) {
        this.channel = channel;
        this.self = self;
        var headers = new Metadata();
        headers.put(RelayPass.HEADER, token);
        var pass = MetadataUtils.newAttachHeadersInterceptor(headers);
        stub = RelayServiceGrpc.newStub(channel).withInterceptors(pass);
        asking = RelayServiceGrpc.newBlockingStub(channel).withInterceptors(pass);
    }

    /** Different from those of every other relay, so that an agent never hears one twice. */
    String nextCallId() {
        return self + "-" + nextCall.incrementAndGet();
    }

    <U extends MessageLite, D extends MessageLite> void forward(
            CallKind<U, D> kind, OrderedStream<U, D> stream, Order order) {
        if (streams.size() >= Bounds.FORWARDED_CALLS) {
            throw new BivouacException(
                    kind.beyond(),
                    "Another relay serves " + Bounds.FORWARDED_CALLS + " calls from here, which is the limit.");
        }
        streams.add(stream);
        var call = new RemoteCall<>(kind, stream, rule -> report(order.getSandboxId(), rule));
        stub.forward(call);
        call.order(order);
    }

    void forget(OrderedStream<?, ?> stream) {
        streams.remove(stream);
    }

    private void report(String sandboxId, String rule) {
        var violation =
                Violation.newBuilder().setSandboxId(sandboxId).setRule(rule).build();
        // Nobody waits for it: a relay that cannot be told is gone, and with it the agent's connection.
        stub.withDeadlineAfter(Bounds.ANSWER_WAIT.toMillis(), TimeUnit.MILLISECONDS)
                .report(violation, new AgentDoor.Ignored<>());
    }

    AgentMessage ask(Question question) {
        try {
            return asking.withDeadlineAfter(Bounds.ANSWER_WAIT.toMillis(), TimeUnit.MILLISECONDS)
                    .ask(question)
                    .getAnswer();
        } catch (StatusRuntimeException failed) {
            throw new BivouacException(
                    ErrorCode.UNAVAILABLE, "The relay of the sandbox's agent did not answer; try again.", failed);
        }
    }

    void tick(long now) {
        streams.forEach(stream -> stream.tick(now));
    }

    void used() {
        usedAt = System.nanoTime();
    }

    boolean isUnused(long now) {
        return streams.isEmpty() && now - usedAt > UNUSED.toNanos();
    }

    void close() {
        channel.shutdownNow();
    }
}
