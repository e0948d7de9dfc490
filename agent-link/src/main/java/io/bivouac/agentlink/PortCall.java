package io.bivouac.agentlink;

import io.bivouac.agent.v1.CarriedDown;
import io.bivouac.agent.v1.CarriedUp;
import io.grpc.Status;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import io.micronaut.core.annotation.Nullable;

/** The agent's side of a {@link CarriedStream}: a call that must first say which connection it carries. */
final class PortCall extends UnopenedCall implements StreamObserver<CarriedUp> {
    private final ServerCallStreamObserver<CarriedDown> call;
    private final AgentConnection connection;
    private volatile @Nullable CarriedStream stream;

    PortCall(ServerCallStreamObserver<CarriedDown> call, AgentConnection connection) {
        super(call);
        this.call = call;
        this.connection = connection;
        call.disableAutoRequest();
        call.setOnReadyHandler(this::ready);
        call.setOnCancelHandler(this::cancelled);
        call.request(1);
    }

    private void ready() {
        var open = stream;
        if (open != null) {
            open.ready();
        }
    }

    @Override
    public void onNext(CarriedUp message) {
        var open = stream;
        if (open != null) {
            if (!open.receive(message)) {
                connection.violated("a port's stream out of order");
            }
            return;
        }
        connection.opened(this);
        var claimed = message.hasOpened()
                ? connection.ports().claim(message.getOpened().getConnectionId())
                : null;
        if (claimed == null) {
            // Whoever asked may have given up waiting, so this alone proves nothing bad.
            call.onError(Status.NOT_FOUND.withDescription("no such connection").asRuntimeException());
            return;
        }
        stream = claimed;
        claimed.opened(call);
    }

    private void cancelled() {
        connection.opened(this);
        var open = stream;
        if (open != null) {
            open.broke();
        }
    }

    /** gRPC also tells the cancel handler. */
    @Override
    public void onError(Throwable cancelled) {}

    @Override
    public void onCompleted() {
        var open = stream;
        if (open != null) {
            open.programEnded();
        } else {
            connection.opened(this);
            call.onCompleted();
        }
    }
}
