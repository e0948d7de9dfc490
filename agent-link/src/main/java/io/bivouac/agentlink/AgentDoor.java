package io.bivouac.agentlink;

import io.bivouac.agent.v1.AgentMessage;
import io.bivouac.agent.v1.AgentServiceGrpc;
import io.bivouac.agent.v1.ProcessDown;
import io.bivouac.agent.v1.ProcessUp;
import io.bivouac.agent.v1.RelayMessage;
import io.grpc.Status;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import jakarta.inject.Singleton;

/** Where agents come in. */
@Singleton
final class AgentDoor extends AgentServiceGrpc.AgentServiceImplBase {
    private final Registration registration;

    AgentDoor(Registration registration) {
        this.registration = registration;
    }

    @Override
    public StreamObserver<AgentMessage> connect(StreamObserver<RelayMessage> orders) {
        var transport = AgentTransport.ofThisCall();
        if (!transport.beginConnect()) {
            orders.onError(Status.FAILED_PRECONDITION
                    .withDescription("a connection registers once")
                    .asRuntimeException());
            return new Ignored<>();
        }
        return new ControlStream((ServerCallStreamObserver<RelayMessage>) orders, transport, registration);
    }

    @Override
    public StreamObserver<ProcessUp> process(StreamObserver<ProcessDown> down) {
        return OpenedCall.take(CallKind.PROCESS, down);
    }

    /** Takes what still comes on a call that was refused. */
    static final class Ignored<T> implements StreamObserver<T> {
        @Override
        public void onNext(T message) {}

        @Override
        public void onError(Throwable error) {}

        @Override
        public void onCompleted() {}
    }
}
