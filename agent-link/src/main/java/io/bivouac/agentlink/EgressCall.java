package io.bivouac.agentlink;

import io.bivouac.agent.v1.CarriedDown;
import io.bivouac.agent.v1.CarriedUp;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;

/** The agent's side of a {@link CarriedStream} that leads out of its sandbox. */
final class EgressCall implements StreamObserver<CarriedUp> {
    private final AgentConnection connection;
    private final CarriedStream stream;

    EgressCall(ServerCallStreamObserver<CarriedDown> call, AgentConnection connection, EgressPlaces places) {
        this.connection = connection;
        this.stream = new CarriedStream("egress", places::forget);
        places.add(stream);
        call.disableAutoRequest();
        call.setOnReadyHandler(stream::ready);
        call.setOnCancelHandler(stream::broke);
        stream.opened(call);
    }

    CarriedStream stream() {
        return stream;
    }

    @Override
    public void onNext(CarriedUp message) {
        if (!stream.receive(message)) {
            connection.violated("a stream out of the sandbox out of order");
        }
    }

    /** gRPC also tells the cancel handler. */
    @Override
    public void onError(Throwable cancelled) {}

    @Override
    public void onCompleted() {
        stream.programEnded();
    }
}
