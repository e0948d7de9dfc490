package io.bivouac.agentlink;

import com.google.protobuf.MessageLite;
import io.bivouac.agent.v1.AgentMessage;
import io.bivouac.agent.v1.RelayMessage;
import io.bivouac.relay.v1.Order;
import io.bivouac.relay.v1.Question;
import io.bivouac.sandboxmodel.SandboxId;
import io.micronaut.core.annotation.Nullable;

/** An agent that is connected to another relay. Thread-safe. */
final class RemoteAgent extends OrderingAgent {
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
    String nextCallId() {
        return relay.nextCallId();
    }

    @Override
    <U extends MessageLite, D extends MessageLite> void order(
            CallKind<U, D> kind, OrderedStream<U, D> stream, RelayMessage order) {
        relay.forward(
                kind,
                stream,
                Order.newBuilder()
                        .setSandboxId(sandbox.value())
                        .setMethod(kind.method())
                        .setCallId(stream.callId())
                        .setOrder(order)
                        .build());
    }

    @Override
    <U extends MessageLite, D extends MessageLite> void forget(CallKind<U, D> kind, OrderedStream<U, D> stream) {
        relay.forget(stream);
    }

    @Override
    AgentMessage ask(RelayMessage question) {
        return relay.ask(Question.newBuilder()
                .setSandboxId(sandbox.value())
                .setQuestion(question)
                .build());
    }

    @Override
    @Nullable AgentConnection connection() {
        return null;
    }

    @Override
    @Nullable Resumption resumption() {
        return null;
    }
}
