package io.bivouac.agentlink;

import com.google.protobuf.ByteString;
import io.bivouac.agent.v1.ProcessDown;
import io.grpc.stub.CallStreamObserver;

/** Sends a command its input as fast as the agent takes it. The stream that owns it guards it. */
final class InputPump {
    private static final int PIECE = 32 * 1024;

    private ByteString rest;
    private boolean ended;

    /** Empty: the command was started without input. */
    InputPump(ByteString input) {
        rest = input;
        ended = input.isEmpty();
    }

    void pump(CallStreamObserver<ProcessDown> call) {
        while (!ended && call.isReady()) {
            if (rest.isEmpty()) {
                ended = true;
                call.onNext(ProcessDown.newBuilder().setStdinEnd(true).build());
            } else {
                int size = Math.min(PIECE, rest.size());
                call.onNext(ProcessDown.newBuilder()
                        .setStdin(rest.substring(0, size))
                        .build());
                rest = rest.substring(size);
            }
        }
    }
}
