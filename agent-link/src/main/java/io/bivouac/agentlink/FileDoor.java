package io.bivouac.agentlink;

import io.bivouac.agent.v1.FileDown;
import io.bivouac.agent.v1.FileServiceGrpc;
import io.bivouac.agent.v1.FileUp;
import io.grpc.stub.StreamObserver;
import jakarta.inject.Singleton;

/** Where agents bring the operations on files that they were asked for. */
@Singleton
final class FileDoor extends FileServiceGrpc.FileServiceImplBase {
    @Override
    public StreamObserver<FileUp> operate(StreamObserver<FileDown> down) {
        return OpenedCall.take(CallKind.FILE, down);
    }
}
