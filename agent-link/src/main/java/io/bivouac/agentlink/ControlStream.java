package io.bivouac.agentlink;

import io.bivouac.agent.v1.AgentMessage;
import io.bivouac.agent.v1.RelayMessage;
import io.bivouac.sandboxmodel.error.BivouacException;
import io.bivouac.sandboxmodel.error.ErrorCode;
import io.grpc.Status;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import io.micronaut.core.annotation.Nullable;
import java.util.concurrent.RejectedExecutionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The stream on which an agent registers and then takes orders. Thread-safe towards the relay. */
final class ControlStream implements StreamObserver<AgentMessage> {
    private static final Logger LOG = LoggerFactory.getLogger(ControlStream.class);

    private final ServerCallStreamObserver<RelayMessage> call;
    private final AgentTransport transport;
    private final Registration registration;
    private final long deadline = System.nanoTime() + Bounds.REGISTER_WAIT.toNanos();
    private boolean closed;
    private boolean registering;
    private volatile @Nullable AgentConnection connection;

    ControlStream(ServerCallStreamObserver<RelayMessage> call, AgentTransport transport, Registration registration) {
        this.call = call;
        this.transport = transport;
        this.registration = registration;
        call.disableAutoRequest();
        call.setOnReadyThreshold(Bounds.UNSENT_ORDERS);
        call.setOnCancelHandler(this::cancelled);
        registration.arrived(this);
        call.request(1);
    }

    private void cancelled() {
        registration.decided(this);
        transport.close("the connection broke");
    }

    @Override
    public void onNext(AgentMessage message) {
        var registered = connection;
        if (registered != null) {
            if (registered.hear(message)) {
                call.request(1);
            } else {
                registered.violated("a control message out of order, or too many of them");
            }
        } else if (message.hasRegister() && !registering) {
            registering = true;
            begin(message);
        } else {
            violated("the first message is not Register");
        }
    }

    /** The database and the ping of a predecessor may take a while; the network's thread may not. */
    private void begin(AgentMessage message) {
        try {
            registration.threads().execute(() -> register(message));
        } catch (RejectedExecutionException tooMany) {
            close(Status.UNAVAILABLE.withDescription("too many register at once, try again"));
        }
    }

    private void register(AgentMessage message) {
        try {
            registration.arrive(message.getRegister(), this, transport);
        } catch (RuntimeException failed) {
            LOG.warn("A registration failed: {}", failed.toString());
            close(Status.UNAVAILABLE.withDescription("try again"));
        }
    }

    /** From here on the agent is the one that the connection says. */
    void registered(AgentConnection proven, RelayMessage welcome) {
        registration.decided(this);
        connection = proven;
        send(welcome);
        call.request(1);
    }

    /** Sends an order, unless the agent has stopped taking them. */
    void send(RelayMessage order) {
        synchronized (this) {
            if (!closed && call.isReady()) {
                call.onNext(order);
                return;
            }
        }
        throw new BivouacException(ErrorCode.UNAVAILABLE, "The sandbox's agent takes no orders right now; try again.");
    }

    void violated(String rule) {
        var who = connection;
        LOG.warn("Closing the connection of {}: {}", who == null ? "an unknown agent" : who.sandbox(), rule);
        registration.metrics().violation();
        close(Status.INVALID_ARGUMENT.withDescription(rule));
    }

    void close(Status status) {
        synchronized (this) {
            if (!closed) {
                closed = true;
                call.onError(status.asRuntimeException());
            }
        }
        registration.decided(this);
        transport.close(status.getDescription() == null ? "closed" : status.getDescription());
    }

    void ended(AgentConnection broken, String why) {
        synchronized (this) {
            closed = true;
        }
        registration.ended(broken, why);
    }

    /** The cancel handler has seen to it. */
    @Override
    public void onError(Throwable cancelled) {}

    @Override
    public void onCompleted() {
        synchronized (this) {
            if (!closed) {
                closed = true;
                call.onCompleted();
            }
        }
        transport.close("the agent said goodbye");
    }

    long deadline() {
        return deadline;
    }

    /** Closes a stream on which nobody registers. */
    boolean isOverdue(long now) {
        return connection == null && now > deadline;
    }
}
