package io.bivouac.agentlink;

import io.bivouac.agent.v1.CodeDown;
import io.bivouac.agent.v1.CodeServiceGrpc;
import io.bivouac.agent.v1.CodeUp;
import io.grpc.stub.StreamObserver;
import jakarta.inject.Singleton;

/** Where agents bring the operations on code that they were asked for. */
@Singleton
final class CodeDoor extends CodeServiceGrpc.CodeServiceImplBase {
    @Override
    public StreamObserver<CodeUp> operate(StreamObserver<CodeDown> down) {
        return OpenedCall.take(CallKind.CODE, down);
    }
}
