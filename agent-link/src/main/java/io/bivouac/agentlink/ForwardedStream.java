package io.bivouac.agentlink;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.MessageLite;
import io.bivouac.relay.v1.ForwardUp;
import io.grpc.Status;
import io.grpc.stub.CallStreamObserver;
import io.grpc.stub.ServerCallStreamObserver;
import io.micronaut.core.annotation.Nullable;

/**
 * Joins a call of an agent that is connected here with the call of the relay that ordered it. It holds at most one
 * message for the agent, and asks the agent for no more than the other relay takes. Thread-safe.
 */
final class ForwardedStream<U extends MessageLite, D extends MessageLite> implements OrderedStream<U, D> {
    /** Messages that the agent may send ahead. */
    private static final int AHEAD = 4;

    private final CallKind<U, D> kind;
    private final String callId;
    private final AgentConnection connection;
    private final ServerCallStreamObserver<ForwardUp> caller;
    private @Nullable CallStreamObserver<D> agent;
    private @Nullable D unsent;

    /** Messages that the agent may still be asked for. */
    private int unasked;

    private boolean callerGone;
    private boolean agentEnded;
    private boolean over;
    private long deadline = System.nanoTime() + Bounds.OPEN_WAIT.toNanos();

    ForwardedStream(
            CallKind<U, D> kind,
            String callId,
            AgentConnection connection,
            ServerCallStreamObserver<ForwardUp> caller) {
        this.kind = kind;
        this.callId = callId;
        this.connection = connection;
        this.caller = caller;
    }

    @Override
    public String callId() {
        return callId;
    }

    // ---- the other relay's side -------------------------------------------------------------------------

    /** One message for the agent; the next is asked for when this one was sent. */
    synchronized void frame(ByteString frame) throws InvalidProtocolBufferException {
        unsent = kind.down().parseFrom(frame);
        ready();
    }

    synchronized void callerReady() {
        while (!over && !callerGone && agent != null && unasked > 0 && caller.isReady()) {
            unasked--;
            agent.request(1);
        }
    }

    /** The agent's call is to be completed. */
    synchronized void callerCompleted() {
        if (over) {
            return;
        }
        if (agent == null) {
            callerGone();
            return;
        }
        if (unsent != null) {
            agent.onNext(unsent);
        }
        agent.onCompleted();
        caller.onCompleted();
        finish();
    }

    /** Nobody reads any more: the agent is told so, and what it still sends is dropped. */
    synchronized void callerGone() {
        if (over || callerGone) {
            return;
        }
        callerGone = true;
        unsent = null;
        deadline = System.nanoTime() + Bounds.FAREWELL_WAIT.toNanos();
        if (agent != null) {
            sayFarewell(agent);
        }
    }

    private void sayFarewell(CallStreamObserver<D> call) {
        if (agentEnded) {
            call.onCompleted();
            finish();
        } else if (kind.farewell() == null) {
            cancel(call);
            finish();
        } else {
            call.onNext(kind.farewell());
            // An agent that is blocked in sending sees no order: what it still sends is taken and dropped.
            call.request(1);
        }
    }

    // ---- the agent's side -------------------------------------------------------------------------------

    @Override
    public synchronized void opened(CallStreamObserver<D> call, U first) {
        if (over) {
            cancel(call);
            return;
        }
        agent = call;
        if (callerGone) {
            sayFarewell(call);
            return;
        }
        deadline = Long.MAX_VALUE;
        caller.onNext(frameOf(first));
        unasked = AHEAD;
        callerReady();
        ready();
    }

    @Override
    public synchronized void ready() {
        if (!over && !callerGone && agent != null && unsent != null && agent.isReady()) {
            agent.onNext(unsent);
            unsent = null;
            caller.request(1);
        }
    }

    /** What the message means, and whether it may come now, is checked where it is understood. */
    @Override
    public synchronized boolean receive(CallStreamObserver<D> call, U message) {
        if (callerGone) {
            call.request(1);
        } else if (!over) {
            caller.onNext(frameOf(message));
            unasked++;
            callerReady();
        }
        return true;
    }

    private ForwardUp frameOf(U message) {
        return ForwardUp.newBuilder().setFrame(message.toByteString()).build();
    }

    @Override
    public synchronized void halfClosed(CallStreamObserver<D> call) {
        agentEnded = true;
        if (over) {
            return;
        }
        if (callerGone) {
            call.onCompleted();
            finish();
        } else {
            caller.onNext(ForwardUp.newBuilder().setEnd(true).build());
        }
    }

    @Override
    public synchronized void interrupted(@Nullable CallStreamObserver<D> call, String why) {
        if (over) {
            return;
        }
        if (!callerGone) {
            caller.onError(Status.UNAVAILABLE.withDescription(why).asRuntimeException());
        }
        finish();
    }

    @Override
    public synchronized void tick(long now) {
        if (over || now <= deadline) {
            return;
        }
        if (agent != null) {
            cancel(agent);
        }
        interrupted(null, "The agent did not answer in time.");
    }

    private void cancel(CallStreamObserver<D> call) {
        call.onError(Status.CANCELLED.withDescription("the reader is gone").asRuntimeException());
    }

    private void finish() {
        over = true;
        unsent = null;
        connection.forget(kind, this);
    }
}
