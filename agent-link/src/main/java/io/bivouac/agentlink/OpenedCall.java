package io.bivouac.agentlink;

import com.google.protobuf.MessageLite;
import io.grpc.Status;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import io.micronaut.core.annotation.Nullable;

/** The agent's side of an {@link OrderedStream}: a call that must first say which order it answers. */
final class OpenedCall<U extends MessageLite, D extends MessageLite> extends UnopenedCall implements StreamObserver<U> {
    private final CallKind<U, D> kind;
    private final ServerCallStreamObserver<D> call;
    private final AgentConnection connection;
    private volatile @Nullable OrderedStream<U, D> stream;

    private OpenedCall(CallKind<U, D> kind, ServerCallStreamObserver<D> call, AgentConnection connection) {
        super(call);
        this.kind = kind;
        this.call = call;
        this.connection = connection;
        call.disableAutoRequest();
        call.setOnReadyHandler(this::ready);
        call.setOnCancelHandler(this::cancelled);
        call.request(1);
    }

    /** Takes a call of an agent; refuses one of somebody who has not registered. */
    static <U extends MessageLite, D extends MessageLite> StreamObserver<U> take(
            CallKind<U, D> kind, StreamObserver<D> down) {
        var connection = AgentTransport.ofThisCall().connection();
        if (connection == null) {
            down.onError(
                    Status.UNAUTHENTICATED.withDescription("register first").asRuntimeException());
            return new AgentDoor.Ignored<>();
        }
        var call = new OpenedCall<>(kind, (ServerCallStreamObserver<D>) down, connection);
        if (!connection.arrived(call)) {
            connection.violated("too many calls that serve nobody");
        }
        return call;
    }

    private void ready() {
        var open = stream;
        if (open != null) {
            open.ready();
        }
    }

    @Override
    public void onNext(U message) {
        var open = stream;
        if (open != null) {
            if (!open.receive(call, message)) {
                connection.violated("a message of " + kind.method() + " out of order");
            }
            return;
        }
        connection.opened(this);
        var claimed = connection.calls(kind).claim(kind.opens().apply(message));
        if (claimed == null) {
            // Whoever ordered it may have given up waiting, so this alone proves nothing bad.
            call.onError(
                    Status.NOT_FOUND.withDescription("nobody waits for this").asRuntimeException());
            return;
        }
        stream = claimed;
        claimed.opened(call, message);
    }

    private void cancelled() {
        connection.opened(this);
        var open = stream;
        if (open != null) {
            open.interrupted(call, AgentConnection.BROKE);
        }
    }

    /** gRPC also tells the cancel handler, which sees the cases that this one misses. */
    @Override
    public void onError(Throwable cancelled) {}

    @Override
    public void onCompleted() {
        var open = stream;
        if (open != null) {
            open.halfClosed(call);
        } else {
            connection.opened(this);
            call.onCompleted();
        }
    }
}
