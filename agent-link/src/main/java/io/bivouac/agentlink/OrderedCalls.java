package io.bivouac.agentlink;

import com.google.protobuf.MessageLite;
import io.bivouac.sandboxmodel.SandboxId;
import io.micronaut.core.annotation.Nullable;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The calls of one kind that one agent was ordered to open. Thread-safe. */
final class OrderedCalls<U extends MessageLite, D extends MessageLite> {
    private final CallKind<U, D> kind;
    private final SandboxId sandbox;
    private final Map<String, OrderedStream<U, D>> awaited = new ConcurrentHashMap<>();
    private final Set<OrderedStream<U, D>> streams = ConcurrentHashMap.newKeySet();

    OrderedCalls(CallKind<U, D> kind, SandboxId sandbox) {
        this.kind = kind;
        this.sandbox = sandbox;
    }

    void add(OrderedStream<U, D> stream) {
        if (isFull()) {
            throw kind.tooMany(sandbox);
        }
        streams.add(stream);
        awaited.put(stream.callId(), stream);
    }

    boolean isFull() {
        return streams.size() >= kind.limit();
    }

    /** Gives the stream that waits for this call, once. */
    @Nullable OrderedStream<U, D> claim(String callId) {
        return awaited.remove(callId);
    }

    void forget(OrderedStream<U, D> stream) {
        streams.remove(stream);
        awaited.remove(stream.callId(), stream);
    }

    /** Those that the agent has not opened yet. */
    int awaited() {
        return awaited.size();
    }

    int size() {
        return streams.size();
    }

    void interrupted(String why) {
        streams.forEach(stream -> stream.interrupted(null, why));
    }

    void tick(long now) {
        streams.forEach(stream -> stream.tick(now));
    }
}
