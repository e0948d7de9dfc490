package io.bivouac.agentlink;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.MessageLite;
import io.bivouac.relay.v1.ForwardDown;
import io.bivouac.relay.v1.ForwardUp;
import io.bivouac.relay.v1.Order;
import io.grpc.Status;
import io.grpc.stub.CallStreamObserver;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientResponseObserver;
import java.util.function.Consumer;

/** The agent's side of an {@link OrderedStream} whose agent is connected to another relay. */
final class RemoteCall<U extends MessageLite, D extends MessageLite>
        implements ClientResponseObserver<ForwardDown, ForwardUp> {
    private final CallKind<U, D> kind;
    private final OrderedStream<U, D> stream;
    private final Consumer<String> report;
    private final Down down = new Down();
    private ClientCallStreamObserver<ForwardDown> call;
    private boolean opened;
    private boolean ended;

    /** @param report tells the other relay which rule the agent broke */
    RemoteCall(CallKind<U, D> kind, OrderedStream<U, D> stream, Consumer<String> report) {
        this.kind = kind;
        this.stream = stream;
        this.report = report;
    }

    @Override
    public void beforeStart(ClientCallStreamObserver<ForwardDown> starting) {
        call = starting;
        call.disableAutoRequestWithInitial(1);
        call.setOnReadyHandler(stream::ready);
    }

    void order(Order order) {
        call.onNext(ForwardDown.newBuilder().setOrder(order).build());
    }

    @Override
    public void onNext(ForwardUp message) {
        if (message.hasEnd()) {
            ended = true;
            stream.halfClosed(down);
            return;
        }
        try {
            var said = kind.up().parseFrom(message.getFrame());
            if (!opened && stream.callId().equals(kind.opens().apply(said))) {
                opened = true;
                stream.opened(down, said);
            } else if (!opened || !stream.receive(down, said)) {
                violated();
            }
        } catch (InvalidProtocolBufferException malformed) {
            violated();
        }
    }

    /** The relay that the agent is connected to closes the connection, as this one would. */
    private void violated() {
        report.accept("a message of " + kind.method() + " out of order");
        call.cancel("out of order", null);
    }

    @Override
    public void onError(Throwable broken) {
        var status = Status.fromThrowable(broken);
        boolean refused = status.getCode() == Status.Code.RESOURCE_EXHAUSTED && status.getDescription() != null;
        stream.interrupted(null, refused ? status.getDescription() : AgentConnection.BROKE);
    }

    /** Both sides have said all, unless the other relay says so first. */
    @Override
    public void onCompleted() {
        if (!ended) {
            stream.interrupted(null, AgentConnection.BROKE);
        }
    }

    /** The stream's words to its agent, wrapped for the way. */
    private final class Down extends CallStreamObserver<D> {
        @Override
        public void onNext(D message) {
            call.onNext(
                    ForwardDown.newBuilder().setFrame(message.toByteString()).build());
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
