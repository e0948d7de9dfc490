package io.bivouac.agentlink;

import io.grpc.Status;
import io.grpc.stub.ServerCallStreamObserver;

/** A call of an agent that may not have said yet what it is for. */
abstract class UnopenedCall {
    private final ServerCallStreamObserver<?> call;
    private final long deadline = System.nanoTime() + Bounds.OPEN_WAIT.toNanos();

    UnopenedCall(ServerCallStreamObserver<?> call) {
        this.call = call;
    }

    final boolean isOverdue(long now) {
        return now > deadline;
    }

    /** Ends a call that never said it. */
    final void refuse() {
        call.onError(
                Status.DEADLINE_EXCEEDED.withDescription("nothing was opened").asRuntimeException());
    }
}
