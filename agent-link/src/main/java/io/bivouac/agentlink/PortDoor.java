package io.bivouac.agentlink;

import io.bivouac.agent.v1.CarriedDown;
import io.bivouac.agent.v1.CarriedUp;
import io.bivouac.agent.v1.PortServiceGrpc;
import io.grpc.Status;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import jakarta.inject.Singleton;

/** Where agents bring the connections to ports that they were asked for. */
@Singleton
final class PortDoor extends PortServiceGrpc.PortServiceImplBase {
    @Override
    public StreamObserver<CarriedUp> carry(StreamObserver<CarriedDown> down) {
        var connection = AgentTransport.ofThisCall().connection();
        if (connection == null) {
            down.onError(
                    Status.UNAUTHENTICATED.withDescription("register first").asRuntimeException());
            return new AgentDoor.Ignored<>();
        }
        var call = new PortCall((ServerCallStreamObserver<CarriedDown>) down, connection);
        if (!connection.arrived(call)) {
            connection.violated("too many calls that serve nobody");
        }
        return call;
    }
}
