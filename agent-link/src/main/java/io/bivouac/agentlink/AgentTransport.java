package io.bivouac.agentlink;

import io.grpc.Attributes;
import io.grpc.Context;
import io.grpc.Contexts;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.ServerTransportFilter;
import io.micronaut.core.annotation.Nullable;

/**
 * One connection as the network sees it. All calls on it share this object; that is how a command's stream
 * inherits the identity that the control stream has proven. Thread-safe.
 */
final class AgentTransport {
    private static final Attributes.Key<AgentTransport> ATTRIBUTE = Attributes.Key.create("bivouac-transport");
    private static final Context.Key<AgentTransport> CALL = Context.key("bivouac-transport");

    private final EgressPlaces egress = new EgressPlaces();
    private boolean connecting;
    private boolean closed;
    private @Nullable AgentConnection connection;
    private @Nullable Runnable atClose;

    /** The transport of the call that is being handled on this thread. */
    static AgentTransport ofThisCall() {
        return CALL.get();
    }

    /** Whether the caller is the first that opens a control stream here; there is only ever one. */
    synchronized boolean beginConnect() {
        boolean first = !connecting && !closed;
        connecting = true;
        return first;
    }

    /** False when the transport broke meanwhile. */
    synchronized boolean bind(AgentConnection proven) {
        if (closed) {
            return false;
        }
        connection = proven;
        return true;
    }

    /** Calls this when the transport breaks, or now if it has. */
    void atClose(Runnable step) {
        synchronized (this) {
            atClose = step;
            if (!closed) {
                return;
            }
        }
        step.run();
    }

    synchronized boolean isClosed() {
        return closed;
    }

    @Nullable synchronized AgentConnection connection() {
        return connection;
    }

    EgressPlaces egress() {
        return egress;
    }

    /** Whatever was proven is no longer so; nothing else can be done with this transport. */
    void close(String why) {
        AgentConnection broken;
        Runnable step;
        synchronized (this) {
            step = closed ? null : atClose;
            closed = true;
            broken = connection;
            connection = null;
        }
        if (step != null) {
            step.run();
        }
        if (broken != null) {
            broken.broke(why);
        }
        egress.closeAll();
    }

    /** Gives each transport its object. */
    static final class Filter extends ServerTransportFilter {
        @Override
        public Attributes transportReady(Attributes attributes) {
            return attributes.toBuilder().set(ATTRIBUTE, new AgentTransport()).build();
        }

        @Override
        public void transportTerminated(@Nullable Attributes attributes) {
            // Null when the transport ended before it was ready.
            var transport = attributes == null ? null : attributes.get(ATTRIBUTE);
            if (transport != null) {
                transport.close("the connection broke");
            }
        }
    }

    /** Hands it on to the calls. */
    static final class Interceptor implements ServerInterceptor {
        @Override
        public <Q, A> ServerCall.Listener<Q> interceptCall(
                ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
            var context = Context.current().withValue(CALL, call.getAttributes().get(ATTRIBUTE));
            return Contexts.interceptCall(context, call, headers, next);
        }
    }
}
