package io.bivouac.agentlink;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.MessageLite;
import io.bivouac.relay.v1.ForwardDown;
import io.bivouac.relay.v1.ForwardUp;
import io.bivouac.relay.v1.Order;
import io.bivouac.sandboxmodel.SandboxId;
import io.bivouac.sandboxmodel.error.BivouacException;
import io.bivouac.sandboxmodel.error.ErrorCode;
import io.grpc.Status;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import io.micronaut.core.annotation.Nullable;

/** A call of another relay that must first say what it orders of whose agent. Thread-safe. */
final class ForwardingCall implements StreamObserver<ForwardDown> {
    private final ServerCallStreamObserver<ForwardUp> caller;
    private final AgentConnections connections;
    private volatile @Nullable ForwardedStream<?, ?> stream;
    private volatile boolean refused;

    ForwardingCall(ServerCallStreamObserver<ForwardUp> caller, AgentConnections connections) {
        this.caller = caller;
        this.connections = connections;
        caller.disableAutoRequest();
        caller.setOnReadyHandler(this::ready);
        caller.setOnCancelHandler(this::cancelled);
        caller.request(1);
    }

    @Override
    public void onNext(ForwardDown message) {
        var open = stream;
        if (refused) {
            return;
        }
        switch (message.getMessageCase()) {
            case ORDER -> {
                if (open == null) {
                    order(message.getOrder());
                } else {
                    refuse(Status.INVALID_ARGUMENT, "a call has one order");
                }
            }
            case FRAME -> {
                if (open == null) {
                    refuse(Status.INVALID_ARGUMENT, "the first message is not an order");
                } else {
                    frame(open, message);
                }
            }
            case MESSAGE_NOT_SET -> refuse(Status.INVALID_ARGUMENT, "an unknown message");
        }
    }

    private void order(Order order) {
        var kind = CallKind.of(order.getMethod());
        if (kind == null) {
            refuse(Status.UNIMPLEMENTED, "agents open no " + order.getMethod());
            return;
        }
        try {
            var id = new SandboxId(order.getSandboxId());
            var present = connections.find(id);
            if (present.isPresent()) {
                order(kind, order, present.get());
            } else {
                Thread.ofVirtual().name("forwarded").start(() -> orderLater(kind, order, id));
            }
        } catch (IllegalArgumentException malformed) {
            refuse(Status.INVALID_ARGUMENT, malformed.getMessage());
        }
    }

    /** The network's thread has no time to wait for an agent that is just registering. */
    private void orderLater(CallKind<?, ?> kind, Order order, SandboxId id) {
        try {
            order(kind, order, connections.awaitHere(id));
        } catch (BivouacException absent) {
            refuse(Status.UNAVAILABLE, absent.getMessage());
        }
    }

    /** Nothing more is asked of the caller until this was done. */
    private <U extends MessageLite, D extends MessageLite> void order(
            CallKind<U, D> kind, Order order, AgentConnection connection) {
        var ordered = new ForwardedStream<>(kind, order.getCallId(), connection, caller);
        try {
            stream = ordered;
            connection.order(kind, ordered, order.getOrder());
            caller.request(1);
            if (caller.isCancelled()) {
                ordered.callerGone();
            }
        } catch (BivouacException unreachable) {
            stream = null;
            boolean tooMany = unreachable.code() != ErrorCode.UNAVAILABLE;
            refuse(tooMany ? Status.RESOURCE_EXHAUSTED : Status.UNAVAILABLE, unreachable.getMessage());
        }
    }

    private void frame(ForwardedStream<?, ?> open, ForwardDown message) {
        try {
            open.frame(message.getFrame());
        } catch (InvalidProtocolBufferException malformed) {
            open.callerGone();
            refuse(Status.INVALID_ARGUMENT, "no message of this method");
        }
    }

    private void refuse(Status status, String why) {
        refused = true;
        caller.onError(status.withDescription(why).asRuntimeException());
    }

    private void ready() {
        var open = stream;
        if (open != null) {
            open.callerReady();
        }
    }

    private void cancelled() {
        var open = stream;
        if (open != null) {
            open.callerGone();
        }
    }

    /** gRPC also tells the cancel handler. */
    @Override
    public void onError(Throwable cancelled) {}

    @Override
    public void onCompleted() {
        var open = stream;
        if (open != null) {
            open.callerCompleted();
        } else if (!refused) {
            refuse(Status.INVALID_ARGUMENT, "nothing was ordered");
        }
    }
}
