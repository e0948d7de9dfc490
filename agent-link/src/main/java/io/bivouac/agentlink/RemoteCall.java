package io.bivouac.agentlink;

import io.bivouac.agent.v1.ProcessDown;
import io.bivouac.agent.v1.ProcessUp;
import io.bivouac.relay.v1.Open;
import io.bivouac.relay.v1.ReachDown;
import io.grpc.stub.CallStreamObserver;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientResponseObserver;

/** A {@link CommandStream} whose agent is connected to another relay. */
final class RemoteCall implements ClientResponseObserver<ReachDown, ProcessUp> {
    private final CommandStream stream;
    private ClientCallStreamObserver<ReachDown> call;
    private final Down down = new Down();
    private boolean opened;

    RemoteCall(CommandStream stream) {
        this.stream = stream;
    }

    @Override
    public void beforeStart(ClientCallStreamObserver<ReachDown> starting) {
        call = starting;
        call.disableAutoRequestWithInitial(1);
        call.setOnReadyHandler(stream::readyForInput);
    }

    void open(Open order) {
        call.onNext(ReachDown.newBuilder().setOpen(order).build());
    }

    @Override
    public void onNext(ProcessUp message) {
        if (!opened && message.hasOpened()) {
            opened = true;
            stream.opened(down, message.getOpened());
        } else if (!opened || !stream.receive(down, message)) {
            call.cancel("out of order", null);
        }
    }

    @Override
    public void onError(Throwable broken) {
        stream.broke("The connection to the sandbox's agent broke.");
    }

    @Override
    public void onCompleted() {
        if (opened) {
            stream.halfClosed(down);
        } else {
            stream.broke("The agent did not open the command's stream.");
        }
    }

    /** The stream's words to its agent, wrapped for the way. */
    private final class Down extends CallStreamObserver<ProcessDown> {
        @Override
        public void onNext(ProcessDown message) {
            call.onNext(ReachDown.newBuilder().setDown(message).build());
        }

        @Override
        public boolean isReady() {
            return call.isReady();
        }

        @Override
        public void request(int count) {
            call.request(count);
        }

        @Override
        public void onError(Throwable why) {
            call.cancel("the reader is gone", why);
        }

        @Override
        public void onCompleted() {
            call.onCompleted();
        }

        @Override
        public void setOnReadyHandler(Runnable handler) {
            throw new UnsupportedOperationException("set before the call");
        }

        @Override
        public void disableAutoInboundFlowControl() {
            throw new UnsupportedOperationException("set before the call");
        }

        @Override
        public void setMessageCompression(boolean enable) {
            call.setMessageCompression(enable);
        }
    }
}
