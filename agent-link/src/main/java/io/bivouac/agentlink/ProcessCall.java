package io.bivouac.agentlink;

import io.bivouac.agent.v1.ProcessDown;
import io.bivouac.agent.v1.ProcessUp;
import io.grpc.Status;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import io.micronaut.core.annotation.Nullable;

/** The agent's side of a {@link CommandStream}: a call that must first say which reader it serves. */
final class ProcessCall extends UnopenedCall implements StreamObserver<ProcessUp> {
    private final ServerCallStreamObserver<ProcessDown> call;
    private final AgentConnection connection;
    private volatile @Nullable CommandStream stream;

    ProcessCall(ServerCallStreamObserver<ProcessDown> call, AgentConnection connection) {
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
            open.readyForInput();
        }
    }

    @Override
    public void onNext(ProcessUp message) {
        var open = stream;
        if (open != null) {
            if (!open.receive(call, message)) {
                connection.violated("a command's stream out of order");
            }
            return;
        }
        connection.opened(this);
        var claimed = message.hasOpened() ? connection.claim(message.getOpened().getReaderId()) : null;
        if (claimed == null) {
            // The reader may have given up waiting, so this alone proves nothing bad.
            call.onError(Status.NOT_FOUND.withDescription("no such reader").asRuntimeException());
            return;
        }
        stream = claimed;
        claimed.opened(call, message.getOpened());
    }

    private void cancelled() {
        connection.opened(this);
        var open = stream;
        if (open != null) {
            open.interrupted(call, "The connection to the sandbox's agent broke.");
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
