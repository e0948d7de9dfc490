package io.bivouac.agentlink;

import io.bivouac.agent.v1.Register;
import io.bivouac.sandboxes.warm.WaitingAgent;
import io.grpc.Status;

/** An agent that has proven itself, and is answered when its sandbox has an owner. */
record HeldAgent(Register request, ControlStream control, AgentTransport transport, Registration registration)
        implements WaitingAgent {
    @Override
    public boolean admit() {
        try {
            return registration.register(request, control, transport);
        } catch (RuntimeException failed) {
            // It dials again, and then its sandbox has a row.
            control.close(Status.UNAVAILABLE.withDescription("try again"));
            throw failed;
        }
    }

    @Override
    public boolean isConnected() {
        return !transport.isClosed();
    }
}
