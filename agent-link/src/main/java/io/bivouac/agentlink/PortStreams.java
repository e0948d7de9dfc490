package io.bivouac.agentlink;

import io.bivouac.agent.v1.OpenPort;
import io.bivouac.agent.v1.RelayMessage;
import io.bivouac.sandboxmodel.error.BivouacException;
import io.bivouac.sandboxmodel.error.ErrorCode;
import io.micronaut.core.annotation.Nullable;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/** The connections to the ports of one sandbox, over its agent. Thread-safe. */
final class PortStreams {
    private final AgentConnection connection;
    private final ControlStream control;
    private final AtomicLong next = new AtomicLong();
    private final Map<String, CarriedStream> awaited = new ConcurrentHashMap<>();
    private final Set<CarriedStream> streams = ConcurrentHashMap.newKeySet();

    PortStreams(AgentConnection connection, ControlStream control) {
        this.connection = connection;
        this.control = control;
    }

    CarriedStream open(int port) {
        if (streams.size() >= Bounds.PORT_CONNECTIONS) {
            throw new BivouacException(
                    ErrorCode.UNAVAILABLE,
                    "The sandbox has " + Bounds.PORT_CONNECTIONS + " connections to its ports, which is the limit.");
        }
        var id = "port-" + next.incrementAndGet();
        var stream = new CarriedStream(id, this::forget);
        streams.add(stream);
        awaited.put(id, stream);
        try {
            control.send(RelayMessage.newBuilder()
                    .setOpenPort(OpenPort.newBuilder().setConnectionId(id).setPort(port))
                    .build());
        } catch (RuntimeException notSent) {
            forget(stream);
            throw notSent;
        }
        if (connection.isBroken()) {
            stream.broke();
        }
        return stream;
    }

    @Nullable CarriedStream claim(String id) {
        return awaited.remove(id);
    }

    /** Those that the agent has not opened yet. */
    int awaited() {
        return awaited.size();
    }

    void forget(CarriedStream stream) {
        streams.remove(stream);
        awaited.remove(stream.id(), stream);
    }

    void broke() {
        streams.forEach(CarriedStream::broke);
    }
}
