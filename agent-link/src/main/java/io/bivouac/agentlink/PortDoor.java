package io.bivouac.agentlink;

import io.bivouac.agent.v1.CarriedDown;
import io.bivouac.agent.v1.CarriedUp;
import io.bivouac.agent.v1.PortServiceGrpc;
import io.grpc.stub.StreamObserver;
import jakarta.inject.Singleton;

/** Where agents bring the connections to ports that they were asked for. */
@Singleton
final class PortDoor extends PortServiceGrpc.PortServiceImplBase {
    @Override
    public StreamObserver<CarriedUp> carry(StreamObserver<CarriedDown> down) {
        return OpenedCall.take(CallKind.PORT, down);
    }
}
