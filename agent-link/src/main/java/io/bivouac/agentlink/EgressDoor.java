package io.bivouac.agentlink;

import io.bivouac.agent.v1.CarriedDown;
import io.bivouac.agent.v1.CarriedUp;
import io.bivouac.agent.v1.EgressServiceGrpc;
import io.grpc.Status;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import jakarta.inject.Singleton;

/** Where agents bring the connections that programs open to the proxy inside. */
@Singleton
final class EgressDoor extends EgressServiceGrpc.EgressServiceImplBase {
    private final EgressListener listener;

    EgressDoor(EgressListener listener) {
        this.listener = listener;
    }

    @Override
    public StreamObserver<CarriedUp> carry(StreamObserver<CarriedDown> down) {
        var transport = AgentTransport.ofThisCall();
        var connection = transport.connection();
        if (connection == null) {
            down.onError(
                    Status.UNAUTHENTICATED.withDescription("register first").asRuntimeException());
            return new AgentDoor.Ignored<>();
        }
        if (!transport.egress().hasPlace()) {
            down.onError(Status.RESOURCE_EXHAUSTED
                    .withDescription("too many connections")
                    .asRuntimeException());
            return new AgentDoor.Ignored<>();
        }
        var call = new EgressCall((ServerCallStreamObserver<CarriedDown>) down, connection, transport.egress());
        listener.opened(connection.sandbox(), call.stream());
        return call;
    }
}
